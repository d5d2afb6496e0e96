import { sql } from "kysely";
import { type Ordered, type Position, pruneOlder, queries, readOrdered, sqlOf } from "#core/db/index.ts";
import type { SearchSql, Tx } from "#core/ports/index.ts";
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
  readonly changedUntil?: number;
}

const plainColumns = ["id", "version", "plate", "plate_key", "type", "owner_identifier", "job", "updated_at"] as const;

/**
 * Live, of rows found by another key. The plus keeps indexes that begin with `deleted_at` out of it:
 * SQLite would otherwise read all live rows instead of looking up a list of keys.
 */
const foundLive = sql<boolean>`+${sql.ref("vehicles.deleted_at")} is null`;

function filtered(tx: Tx, filter: ListFilter) {
  const { ids, owner, job, changedUntil } = filter;
  const from = queries<VehicleTables>(tx).selectFrom("vehicles");
  let query = ids ? from.where(foundLive) : from.where("deleted_at", "is", null);
  if (ids) query = query.where("id", "in", ids.length === 0 ? [0] : [...ids]);
  if (owner !== undefined) query = query.where("owner_identifier", "=", owner);
  if (job !== undefined) query = query.where("job", "=", job);
  if (changedUntil !== undefined) query = query.where("updated_at", "<=", changedUntil);
  return query;
}

/** The configured column under the name of its field. */
const movedOf = (column: string | null) => (column === null ? [] : [sql<unknown>`${sql.id("vehicles", column)}`.as("model")]);

const textOf = (value: unknown) => (value === null || value === undefined || value instanceof Uint8Array ? null : String(value));

/** Values of the configured column of these vehicles, by id. */
export async function readModels(tx: Tx, ids: readonly number[], modelColumn: string): Promise<Map<number, string | null>> {
  const rows = await queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select("id")
    .select(movedOf(modelColumn))
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, textOf((row as { model?: unknown }).model)]));
}

const sourceOf = <Row extends object>(row: Row) => ({ ...row, model: textOf((row as { model?: unknown }).model) });

/** At most `limit` rows after a position. `modelColumn` is null when the model is switched off. */
export async function listRows(
  tx: Tx,
  filter: ListFilter,
  modelColumn: string | null,
  position: Position,
  limit: number,
): Promise<(VehicleSource & Ordered)[]> {
  const select = filtered(tx, filter).select(plainColumns).select(movedOf(modelColumn));
  const { changedUntil: _until, ...narrowing } = filter;
  return (await readOrdered(tx, select, { position, limit, narrowed: Object.keys(narrowing).length > 0 })).map(sourceOf);
}

/** Live vehicles by their ids, in no order. */
export async function rowsOf(tx: Tx, ids: readonly number[], modelColumn: string | null): Promise<VehicleSource[]> {
  const rows = await filtered(tx, { ids }).select(plainColumns).select(movedOf(modelColumn)).execute();
  return rows.map(sourceOf);
}

/** How many match, counted no further than `cap`. */
export async function countRows(tx: Tx, filter: ListFilter, cap: number): Promise<number> {
  const row = await queries<VehicleTables>(tx)
    .selectFrom(filtered(tx, filter).select("id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function platesOf(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const vehicles = queries<VehicleTables>(tx).selectFrom("vehicles").select(["id", "plate"]);
  const rows = await vehicles.where("id", "in", ids).where(foundLive).execute();
  return new Map(rows.map(({ id, plate }) => [id, plate]));
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

/** The game ids of at most `limit` owners of those of these vehicles whose plate contains this key. */
export async function ownersOfPlates(tx: Tx, found: SearchSql, key: string, limit: number): Promise<string[]> {
  const rows = await queries<VehicleTables>(tx)
    .selectFrom("vehicles")
    .select("owner_identifier")
    .distinct()
    .where("id", "in", sql<number>`(${sqlOf(found)})` as never)
    .where(foundLive)
    .where("owner_identifier", "is not", null)
    .where(sql<boolean>`instr(${sql.ref("plate_key")}, ${key}) > 0`)
    .limit(limit)
    .execute();
  return rows.flatMap((row) => row.owner_identifier ?? []);
}

export const purgeDeleted = pruneOlder(vehicles, "deleted_at");
