import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AttributeValue } from "#core/contract/index.ts";
import type { Limits } from "./access.policy.ts";
import type { AccessTables } from "./access.schema.ts";

export interface StoredLimits {
  readonly version: number;
  /** Null: the job may hand out everything. */
  readonly limits: Limits | null;
}

export interface StoredLimitsRevision {
  readonly version: number;
  readonly at: number;
  readonly by: string;
  readonly was: Limits | null;
  readonly became: Limits | null;
}

const textOf = (limits: Limits | null) => (limits === null ? null : JSON.stringify({ v: 1, limits: Object.fromEntries(limits) }));

function limitsOf(text: string | null): Limits | null {
  if (text === null) return null;
  return new Map(Object.entries((JSON.parse(text) as { limits: Record<string, Record<string, AttributeValue>> }).limits));
}

/** By job, with lifted limits too, for their version. */
export async function readLimits(tx: Tx): Promise<Map<string, StoredLimits>> {
  const rows = await queries<AccessTables>(tx).selectFrom("access_limits").selectAll().execute();
  return new Map(rows.map(({ job, version, limits }) => [job, { version, limits: limitsOf(limits) }]));
}

export async function putLimits(tx: Tx, job: string, { version, limits }: StoredLimits, at: number): Promise<void> {
  const insert = queries<AccessTables>(tx)
    .insertInto("access_limits")
    .values({ job, version, limits: textOf(limits), updated_at: at });
  await dialectOf(tx).upsert(insert, ["job"], ["version", "limits", "updated_at"]).execute();
}

export async function insertLimitsRevision(tx: Tx, job: string, revision: StoredLimitsRevision): Promise<void> {
  const { version, at, by, was, became } = revision;
  await queries<AccessTables>(tx)
    .insertInto("access_limits_revisions")
    .values({ job, version, at, changed_by: by, was: textOf(was), became: textOf(became) })
    .execute();
}

/** The newest `limit` revisions, newest first. */
export async function newestLimitsRevisions(tx: Tx, job: string, limit: number): Promise<StoredLimitsRevision[]> {
  const rows = await queries<AccessTables>(tx)
    .selectFrom("access_limits_revisions")
    .selectAll()
    .where("job", "=", job)
    .orderBy("version", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ version, at, changed_by, was, became }) => ({
    version,
    at,
    by: changed_by,
    was: limitsOf(was),
    became: limitsOf(became),
  }));
}

export async function findLimitsRevision(tx: Tx, job: string, version: number): Promise<StoredLimitsRevision | null> {
  const row = await queries<AccessTables>(tx)
    .selectFrom("access_limits_revisions")
    .selectAll()
    .where("job", "=", job)
    .where("version", "=", version)
    .executeTakeFirst();
  return row ? { version, at: row.at, by: row.changed_by, was: limitsOf(row.was), became: limitsOf(row.became) } : null;
}
