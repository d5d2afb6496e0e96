import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallsTables } from "./calls.schema.ts";

export type TypeRow = Selectable<CallsTables["calls_types"]>;
export type RulesRow = Selectable<CallsTables["calls_rules"]>;

const db = (tx: Tx) => queries<CallsTables>(tx);

/** Of these jobs, in their order, also deleted ones. */
export async function typesOf(tx: Tx, jobs: readonly string[]): Promise<TypeRow[]> {
  if (jobs.length === 0) return [];
  return await db(tx).selectFrom("calls_types").selectAll().where("job", "in", jobs).orderBy("position").orderBy("id").execute();
}

/** Also deleted ones, by id. */
export async function typesById(tx: Tx, ids: readonly number[]): Promise<Map<number, TypeRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx).selectFrom("calls_types").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insert(tx: Tx, row: Insertable<CallsTables["calls_types"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("calls_types").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<CallsTables["calls_types"]>): Promise<void> {
  await db(tx).updateTable("calls_types").set(values).where("id", "=", id).execute();
}

/** By job, of those that have changed them. */
export async function rulesOf(tx: Tx, jobs: readonly string[]): Promise<Map<string, RulesRow>> {
  if (jobs.length === 0) return new Map();
  const rows = await db(tx).selectFrom("calls_rules").selectAll().where("job", "in", jobs).execute();
  return new Map(rows.map((row) => [row.job, row]));
}

/** Jobs that everybody may call. */
export async function publicJobs(tx: Tx): Promise<string[]> {
  const rows = await db(tx).selectFrom("calls_rules").select("job").where("public", "=", 1).execute();
  return rows.map(({ job }) => job);
}

/** The rules of a job, created where it has none; everybody who changes types or rules of the job takes turns at them. */
export async function lockRules(tx: Tx, fallback: RulesRow): Promise<RulesRow> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("calls_rules").values(fallback)).execute();
  const select = db(tx).selectFrom("calls_rules").selectAll().where("job", "=", fallback.job);
  return await dialectOf(tx).lock(select).executeTakeFirstOrThrow();
}

export async function saveRules(tx: Tx, { job, ...values }: RulesRow): Promise<void> {
  await db(tx).updateTable("calls_rules").set(values).where("job", "=", job).execute();
}

/** Those that were deleted before an instant and that no stored call names. */
export async function removeDeleted(tx: Tx, before: number, limit: number): Promise<number> {
  const select = db(tx)
    .selectFrom("calls_types")
    .select("id")
    .where("deleted_at", "<", before)
    .where((e) => e.not(e.exists(e.selectFrom("calls").select("calls.id").whereRef("calls.type_id", "=", "calls_types.id"))))
    .orderBy("deleted_at")
    .limit(limit);
  // Locked, so that one that somebody restores at the same time stays.
  const ids = (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
  if (ids.length > 0) await db(tx).deleteFrom("calls_types").where("id", "in", ids).execute();
  return ids.length;
}
