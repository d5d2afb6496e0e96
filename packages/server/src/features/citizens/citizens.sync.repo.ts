import { bulkInsert, dialectOf, type NewRow, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { foundLive } from "./citizens.reads.ts";
import type { CitizenRecord } from "./citizens.record.policy.ts";
import { citizens, citizensJobs, citizensLicences, citizensPhones, type CitizenTables } from "./citizens.schema.ts";

export interface Known {
  readonly id: number;
  readonly identifier: string;
  readonly version: number;
  readonly sync_hash: string;
  readonly search_hash: string;
  readonly created_at: number;
  readonly deleted_at: number | null;
}

/** What is stored of these identifiers, locked until the unit of work ends. */
export async function lockKnown(tx: Tx, identifiers: readonly string[]): Promise<Map<string, Known>> {
  const select = queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "identifier", "version", "sync_hash", "search_hash", "created_at", "deleted_at"])
    .where("identifier", "in", [...identifiers].sort());
  const rows = await dialectOf(tx).lock(select).execute();
  return new Map(rows.map((row) => [row.identifier, row]));
}

/** Hashes of the live citizens among these, without locks. */
export async function liveHashes(tx: Tx, identifiers: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["identifier", "sync_hash"])
    .where("identifier", "in", identifiers)
    .where(foundLive)
    .execute();
  return new Map(rows.map((row) => [row.identifier, row.sync_hash]));
}

export interface WrittenRecord {
  readonly record: CitizenRecord;
  readonly derived: { readonly name_key: string; readonly search_hash: string };
  /** Null for a citizen that is not stored yet. */
  readonly knownId: number | null;
  readonly version: number;
  readonly createdAt: number;
}

const overwritten = [
  "licence",
  "first_name",
  "last_name",
  "name_key",
  "date_of_birth",
  "sex",
  "height",
  "job",
  "grade",
  "phone_number",
  "visum",
  "playtime",
  "sync_hash",
  "search_hash",
  "source",
  "version",
  "updated_at",
  "deleted_at",
] as const;

/**
 * Writes the rows and gives their ids by identifier. Rows that are known are matched by id: an
 * upsert that finds its row by another key first inserts it and takes that back. Fresh ones are
 * inserted plainly: one that somebody else stored meanwhile throws `DuplicateKey`, and the caller
 * begins anew knowing it, instead of merging into a row it has not seen.
 */
export async function putCitizens(
  tx: Tx,
  written: readonly WrittenRecord[],
  source: string,
  at: number,
): Promise<Map<string, number>> {
  const rowOf = ({
    record: { jobs: _jobs, phones: _phones, licences: _licences, ...columns },
    derived,
    version,
    createdAt,
  }: WrittenRecord) => ({
    ...columns,
    ...derived,
    source,
    version,
    created_at: createdAt,
    updated_at: at,
    deleted_at: null,
  });
  const ids = new Map<string, number>();
  const fresh: NewRow<typeof citizens>[] = [];
  const known: NewRow<typeof citizens>[] = [];
  for (const one of written) {
    if (one.knownId === null) fresh.push(rowOf(one));
    else {
      known.push({ id: one.knownId, ...rowOf(one) });
      ids.set(one.record.identifier, one.knownId);
    }
  }
  await bulkInsert(tx, citizens, known, { onConflict: { keys: ["id"], update: overwritten } });
  if (fresh.length === 0) return ids;
  await bulkInsert(tx, citizens, fresh);
  const numbered = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "identifier"])
    .where(
      "identifier",
      "in",
      fresh.map((row) => row.identifier),
    )
    .execute();
  for (const { id, identifier } of numbered) ids.set(identifier, id);
  return ids;
}

interface Children {
  readonly id: number;
  readonly record: CitizenRecord;
}

/** Writes jobs, phone numbers and licences; of `known`, the ids that may have older ones, those go first. */
export async function putChildren(tx: Tx, children: readonly Children[], known: readonly number[]): Promise<void> {
  if (known.length > 0) {
    const db = queries<CitizenTables>(tx);
    await db.deleteFrom("citizens_jobs").where("citizen_id", "in", known).execute();
    await db.deleteFrom("citizens_phones").where("citizen_id", "in", known).execute();
    await db.deleteFrom("citizens_licences").where("citizen_id", "in", known).execute();
  }
  const jobs = children.flatMap(({ id, record }) => record.jobs.map((one) => ({ citizen_id: id, ...one })));
  const phones = children.flatMap(({ id, record }) => record.phones.map((one) => ({ citizen_id: id, ...one })));
  const licences = children.flatMap(({ id, record }) => record.licences.map((type) => ({ citizen_id: id, type })));
  await bulkInsert(tx, citizensJobs, jobs);
  await bulkInsert(tx, citizensPhones, phones);
  await bulkInsert(tx, citizensLicences, licences);
}

export async function markDeleted(tx: Tx, ids: readonly number[], at: number): Promise<void> {
  if (ids.length === 0) return;
  await queries<CitizenTables>(tx)
    .updateTable("citizens")
    .set((set) => ({ deleted_at: at, updated_at: at, version: set("version", "+", 1) }))
    .where("id", "in", ids)
    .execute();
}
