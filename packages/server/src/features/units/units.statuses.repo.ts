import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { unitsEvents, unitsStatuses, type UnitTables } from "./units.schema.ts";

export type StatusRow = Selectable<UnitTables["units_statuses"]>;
export type RulesRow = Selectable<UnitTables["units_rules"]>;

const db = (tx: Tx) => queries<UnitTables>(tx);

/** Of a job, in their order, also deleted ones. */
export async function statusesOf(tx: Tx, job: string): Promise<StatusRow[]> {
  return await db(tx).selectFrom("units_statuses").selectAll().where("job", "=", job).orderBy("position").orderBy("id").execute();
}

/** Also deleted ones, by id. */
export async function statusesById(tx: Tx, ids: readonly number[]): Promise<Map<number, StatusRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx).selectFrom("units_statuses").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insert(tx: Tx, row: Insertable<UnitTables["units_statuses"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("units_statuses").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<UnitTables["units_statuses"]>): Promise<void> {
  await db(tx).updateTable("units_statuses").set(values).where("id", "=", id).execute();
}

export async function rulesOf(tx: Tx, jobs: readonly string[]): Promise<Map<string, RulesRow>> {
  if (jobs.length === 0) return new Map();
  const rows = await db(tx).selectFrom("units_rules").selectAll().where("job", "in", jobs).execute();
  return new Map(rows.map((row) => [row.job, row]));
}

/** The rules of a job, created where it has none; everything that changes one of its units takes turns at them. */
export async function lockRules(tx: Tx, fallback: RulesRow): Promise<RulesRow> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("units_rules").values(fallback)).execute();
  const select = db(tx).selectFrom("units_rules").selectAll().where("job", "=", fallback.job);
  return await dialectOf(tx).lock(select).executeTakeFirstOrThrow();
}

export async function saveRules(tx: Tx, { job, ...values }: RulesRow): Promise<void> {
  await db(tx).updateTable("units_rules").set(values).where("job", "=", job).execute();
}

export const pruneStatuses = pruneOlder(unitsStatuses, "deleted_at");
export const pruneEvents = pruneOlder(unitsEvents, "at");
