import { sql } from "kysely";
import type { Cursor } from "#core/cursor.ts";
import { bulkInsert, dialectOf, type NewRow, queries, removeOlder } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { vehicles, type VehicleTables } from "./vehicles.schema.ts";

export interface VehicleSource {
  readonly id: number;
  readonly version: number;
  readonly plate: string;
  readonly plate_key: string;
  readonly model: string | null;
  readonly type: string | null;
  readonly owner_identifier: string | null;
  readonly job: string | null;
  readonly updated_at: number;
}

export interface ListFilter {
  readonly ids?: readonly number[];
  readonly owner?: string;
  readonly job?: string;
  readonly after?: Cursor;
}

const plainColumns = ["id", "version", "plate", "plate_key", "type", "owner_identifier", "job", "updated_at"] as const;

/**
 * Live, of rows found by another key. The plus keeps indexes that begin with `deleted_at` out of it:
 * SQLite would rather read all live rows than look up a list of keys.
 */
const foundLive = sql<boolean>`+${sql.ref("vehicles.deleted_at")} is null`;

function filtered(tx: Tx, filter: Omit<ListFilter, "after">) {
  const { ids, owner, job } = filter;
  const from = queries<VehicleTables>(tx).selectFrom("vehicles");
  let query = ids ? from.where(foundLive) : from.where("deleted_at", "is", null);
  if (ids) query = query.where("id", "in", ids.length === 0 ? [0] : [...ids]);
  if (owner !== undefined) query = query.where("owner_identifier", "=", owner);
  if (job !== undefined) query = query.where("job", "=", job);
  return query;
}

/** Rows in the order of the list. `modelColumn` is null when the model is switched off. */
export async function listRows(tx: Tx, filter: ListFilter, modelColumn: string | null, limit: number): Promise<VehicleSource[]> {
  const { after } = filter;
  const moved = modelColumn === null ? [] : [sql.ref<unknown>(`vehicles.${modelColumn}`).as("model")];
  let query = filtered(tx, filter).select(plainColumns).select(moved);
  if (after) {
    query = query.where((e) =>
      e.or([e("plate_key", ">", after.key), e.and([e("plate_key", "=", after.key), e("id", ">", after.id)])]),
    );
  }
  const rows = await query.orderBy("plate_key").orderBy("id").limit(limit).execute();
  return rows.map((row) => {
    const { model } = row as { model?: unknown };
    return { ...row, model: model === null || model === undefined ? null : String(model) };
  });
}

/** How many match, counted no further than `cap`. */
export async function countRows(tx: Tx, filter: Omit<ListFilter, "after">, cap: number): Promise<number> {
  const row = await queries<VehicleTables>(tx)
    .selectFrom(filtered(tx, filter).select("id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function countLive(tx: Tx): Promise<number> {
  const row = await queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function livePlates(tx: Tx, after: string, limit: number): Promise<string[]> {
  const rows = await queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select("plate")
    .where("plate", ">", after)
    .where(foundLive)
    .orderBy("plate")
    .limit(limit)
    .execute();
  return rows.map((row) => row.plate);
}

/** Live vehicles of these owners, by their game ids. */
export async function idsOfOwners(tx: Tx, identifiers: readonly string[], limit: number): Promise<number[]> {
  if (identifiers.length === 0) return [];
  const rows = await queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select("id")
    .where("owner_identifier", "in", identifiers)
    .where(foundLive)
    .orderBy("plate_key")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

/** The owners' game ids of these vehicles. */
export async function ownersOf(tx: Tx, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select("owner_identifier")
    .where("id", "in", ids)
    .where(foundLive)
    .execute();
  return [...new Set(rows.flatMap((row) => row.owner_identifier ?? []))];
}

export interface Known {
  readonly id: number;
  readonly plate: string;
  readonly version: number;
  readonly sync_hash: string;
  readonly search_hash: string;
  readonly created_at: number;
  readonly deleted_at: number | null;
}

/** What is stored of these plates, locked until the unit of work ends. */
export async function lockKnown(tx: Tx, plates: readonly string[]): Promise<Map<string, Known>> {
  const select = queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select(["id", "plate", "version", "sync_hash", "search_hash", "created_at", "deleted_at"])
    .where("plate", "in", [...plates].sort());
  const rows = await dialectOf(tx).lock(select).execute();
  return new Map(rows.map((row) => [row.plate, row]));
}

/** Hashes of the live vehicles among these, without locks. */
export async function liveHashes(tx: Tx, plates: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select(["plate", "sync_hash"])
    .where("plate", "in", plates)
    .where(foundLive)
    .execute();
  return new Map(rows.map((row) => [row.plate, row.sync_hash]));
}

export interface VehicleRecord {
  readonly plate: string;
  readonly plate_key: string;
  readonly model: string | null;
  readonly type: string | null;
  readonly owner_identifier: string | null;
  readonly job: string | null;
  readonly sync_hash: string;
  readonly search_hash: string;
}

export interface WrittenRecord {
  readonly record: VehicleRecord;
  /** Null for a vehicle that is not stored yet. */
  readonly knownId: number | null;
  readonly version: number;
  readonly createdAt: number;
}

const overwritten = [
  "plate_key",
  "model",
  "type",
  "owner_identifier",
  "job",
  "sync_hash",
  "search_hash",
  "source",
  "version",
  "updated_at",
  "deleted_at",
] as const;

/**
 * Writes the rows and gives their ids by plate. Rows that are known are matched by id: an upsert
 * that finds its row by another key first inserts it and takes that back. Fresh ones are inserted
 * plainly: one that somebody else stored meanwhile throws `DuplicateKey`, and the caller begins anew.
 */
export async function putVehicles(
  tx: Tx,
  written: readonly WrittenRecord[],
  source: string,
  at: number,
): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  const fresh: NewRow<typeof vehicles>[] = [];
  const known: NewRow<typeof vehicles>[] = [];
  for (const { record, knownId, version, createdAt } of written) {
    const row = { ...record, source, version, created_at: createdAt, updated_at: at, deleted_at: null };
    if (knownId === null) fresh.push(row);
    else {
      known.push({ id: knownId, ...row });
      ids.set(record.plate, knownId);
    }
  }
  await bulkInsert(tx, vehicles, known, { onConflict: { keys: ["id"], update: overwritten } });
  if (fresh.length === 0) return ids;
  await bulkInsert(tx, vehicles, fresh);
  const numbered = await queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select(["id", "plate"])
    .where(
      "plate",
      "in",
      fresh.map((row) => row.plate),
    )
    .execute();
  for (const { id, plate } of numbered) ids.set(plate, id);
  return ids;
}

export async function markDeleted(tx: Tx, ids: readonly number[], at: number): Promise<void> {
  await queries<VehicleTables>(tx)
    .updateTable("vehicles")
    .set((set) => ({ deleted_at: at, updated_at: at, version: set("version", "+", 1) }))
    .where("id", "in", ids)
    .execute();
}

export const removeDeleted = removeOlder(vehicles, "deleted_at");
