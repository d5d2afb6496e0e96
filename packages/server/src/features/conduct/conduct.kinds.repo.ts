import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { ConductTables } from "./conduct.schema.ts";

export type KindRow = Selectable<ConductTables["conduct_kinds"]>;
export type RulesRow = Selectable<ConductTables["conduct_rules"]>;

const db = (tx: Tx) => queries<ConductTables>(tx);

/** Of a job, in their order, also deleted ones. */
export async function kindsOf(tx: Tx, job: string): Promise<KindRow[]> {
  return await db(tx).selectFrom("conduct_kinds").selectAll().where("job", "=", job).orderBy("position").orderBy("id").execute();
}

/** Also deleted ones, by id. */
export async function kindsById(tx: Tx, ids: readonly number[]): Promise<Map<number, KindRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx).selectFrom("conduct_kinds").selectAll().where("id", "in", ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insert(tx: Tx, row: Insertable<ConductTables["conduct_kinds"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("conduct_kinds").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<ConductTables["conduct_kinds"]>): Promise<void> {
  await db(tx).updateTable("conduct_kinds").set(values).where("id", "=", id).execute();
}

export async function rulesOf(tx: Tx, job: string): Promise<RulesRow | null> {
  return (await db(tx).selectFrom("conduct_rules").selectAll().where("job", "=", job).executeTakeFirst()) ?? null;
}

/** The rules of a job, created where it has none; everybody who writes in the register of the job takes turns at them. */
export async function lockRules(tx: Tx, job: string, now: number): Promise<RulesRow> {
  const fallback = { job, thresholds: "[]", version: 0, updated_at: now };
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("conduct_rules").values(fallback)).execute();
  const select = db(tx).selectFrom("conduct_rules").selectAll().where("job", "=", job);
  return await dialectOf(tx).lock(select).executeTakeFirstOrThrow();
}

export async function saveRules(tx: Tx, { job, ...values }: RulesRow): Promise<void> {
  await db(tx).updateTable("conduct_rules").set(values).where("job", "=", job).execute();
}

/** Those that were deleted before an instant and that no stored entry names. */
export async function removeDeleted(tx: Tx, before: number, limit: number): Promise<number> {
  const select = db(tx)
    .selectFrom("conduct_kinds")
    .select("id")
    .where("deleted_at", "<", before)
    .where((e) =>
      e.not(e.exists(e.selectFrom("conduct_entries as u").select("u.id").whereRef("u.kind_id", "=", "conduct_kinds.id"))),
    )
    .orderBy("deleted_at")
    .limit(limit);
  // Locked, so that one that somebody restores at the same time stays.
  const ids = (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
  if (ids.length > 0) await db(tx).deleteFrom("conduct_kinds").where("id", "in", ids).execute();
  return ids.length;
}
