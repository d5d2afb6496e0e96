import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { SettingsTables } from "./settings.schema.ts";

export interface StoredRevision {
  readonly version: number;
  readonly at: number;
  readonly by: string;
  readonly document: unknown;
}

interface Row {
  version: number;
  at: number;
  changed_by: string;
  document: string;
}

const revisionOf = ({ version, at, changed_by, document }: Row): StoredRevision => ({
  version,
  at,
  by: changed_by,
  document: JSON.parse(document) as unknown,
});

export async function latest(tx: Tx): Promise<StoredRevision | null> {
  const select = queries<SettingsTables>(tx).selectFrom("settings_revisions").selectAll().orderBy("version", "desc").limit(1);
  const row = await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst();
  return row ? revisionOf(row) : null;
}

/** The newest `limit` revisions, newest first. */
export async function newest(tx: Tx, limit: number): Promise<StoredRevision[]> {
  const rows = await queries<SettingsTables>(tx)
    .selectFrom("settings_revisions")
    .selectAll()
    .orderBy("version", "desc")
    .limit(limit)
    .execute();
  return rows.map(revisionOf);
}

export async function find(tx: Tx, version: number): Promise<StoredRevision | null> {
  const row = await queries<SettingsTables>(tx)
    .selectFrom("settings_revisions")
    .selectAll()
    .where("version", "=", version)
    .executeTakeFirst();
  return row ? revisionOf(row) : null;
}

export async function insert(tx: Tx, revision: StoredRevision): Promise<void> {
  await queries<SettingsTables>(tx)
    .insertInto("settings_revisions")
    .values({
      version: revision.version,
      at: revision.at,
      changed_by: revision.by,
      document: JSON.stringify(revision.document),
    })
    .execute();
}
