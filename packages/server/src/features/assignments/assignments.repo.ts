import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { callIds } from "#features/calls/calls.reads.ts";
import { assignments, type AssignmentsTables } from "./assignments.schema.ts";

export type AssignmentRow = Selectable<AssignmentsTables["assignments"]>;
export type MoveRow = Selectable<AssignmentsTables["assignments_moves"]>;
export type RulesRow = Selectable<AssignmentsTables["assignments_rules"]>;

const db = (tx: Tx) => queries<AssignmentsTables>(tx);

/** Locked when the unit of work can write, after its call. */
export async function find(tx: Tx, id: number): Promise<AssignmentRow | null> {
  const select = db(tx).selectFrom("assignments").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** The call of an assignment, without a lock: merging and splitting may change it until its call is locked. Null for none. */
export async function callOf(tx: Tx, id: number): Promise<number | null> {
  const row = await db(tx).selectFrom("assignments").select("call_id").where("id", "=", id).executeTakeFirst();
  return row?.call_id ?? null;
}

/** Of these calls, those that are open or were accepted, the oldest first. */
export async function ofCalls(tx: Tx, callIds: readonly number[]): Promise<AssignmentRow[]> {
  if (callIds.length === 0) return [];
  return await db(tx)
    .selectFrom("assignments")
    .selectAll()
    .where("call_id", "in", callIds)
    .where((e) => e.or([e("ended_marker", "=", 0), e("accepted_at", "is not", null)]))
    .orderBy("id")
    .execute();
}

/** How many a call has had since an instant. */
export async function countSince(tx: Tx, callId: number, since: number): Promise<number> {
  const row = await db(tx)
    .selectFrom("assignments")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("call_id", "=", callId)
    .where("created_at", ">=", since)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Whether a unit of this job has been done with the call since an instant. */
export async function hasFinished(tx: Tx, callId: number, job: string, since: number): Promise<boolean> {
  const row = await db(tx)
    .selectFrom("assignments")
    .select("id")
    .where("call_id", "=", callId)
    .where("job", "=", job)
    .where("state", "=", "done")
    .where("ended_at", ">=", since)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Open ones of a call, locked where the unit of work can write. */
export async function openOf(tx: Tx, callId: number): Promise<AssignmentRow[]> {
  const select = db(tx)
    .selectFrom("assignments")
    .selectAll()
    .where("call_id", "=", callId)
    .where("ended_marker", "=", 0)
    .orderBy("id");
  return await (tx.writable ? dialectOf(tx).lock(select) : select).execute();
}

/** The latest calls that a unit accepted or took, also those that ended. */
export async function workedBy(tx: Tx, unitId: number, limit: number): Promise<number[]> {
  const rows = await db(tx)
    .selectFrom("assignments")
    .select("call_id")
    .where("unit_id", "=", unitId)
    .where("accepted_at", "is not", null)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  return [...new Set(rows.map((row) => row.call_id))];
}

/** The calls of a unit that it works or is asked for. */
export async function callsOfUnit(tx: Tx, unitId: number): Promise<AssignmentRow[]> {
  return await db(tx)
    .selectFrom("assignments")
    .selectAll()
    .where("unit_id", "=", unitId)
    .where("ended_marker", "=", 0)
    .orderBy("id")
    .execute();
}

export async function insert(tx: Tx, row: Insertable<AssignmentsTables["assignments"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("assignments").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<AssignmentsTables["assignments"]>): Promise<void> {
  await db(tx).updateTable("assignments").set(values).where("id", "=", id).execute();
}

export async function insertMove(tx: Tx, row: Insertable<AssignmentsTables["assignments_moves"]>): Promise<void> {
  await db(tx).insertInto("assignments_moves").values(row).execute();
}

/** What a merge did to units, which is forgotten with this. */
export async function takeMoves(tx: Tx, mergedId: number): Promise<MoveRow[]> {
  const rows = await db(tx)
    .selectFrom("assignments_moves")
    .selectAll()
    .where("merged_id", "=", mergedId)
    .orderBy("assignment_id")
    .execute();
  await db(tx).deleteFrom("assignments_moves").where("merged_id", "=", mergedId).execute();
  return rows;
}

export async function rulesOf(tx: Tx, jobs: readonly string[]): Promise<Map<string, RulesRow>> {
  if (jobs.length === 0) return new Map();
  const rows = await db(tx).selectFrom("assignments_rules").selectAll().where("job", "in", jobs).execute();
  return new Map(rows.map((row) => [row.job, row]));
}

export async function lockRules(tx: Tx, fallback: RulesRow): Promise<RulesRow> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("assignments_rules").values(fallback)).execute();
  const select = db(tx).selectFrom("assignments_rules").selectAll().where("job", "=", fallback.job);
  return await dialectOf(tx).lock(select).executeTakeFirstOrThrow();
}

export async function saveRules(tx: Tx, { job, ...values }: RulesRow): Promise<void> {
  await db(tx).updateTable("assignments_rules").set(values).where("job", "=", job).execute();
}

/** That somebody answered stays, and nothing of whom. */
export async function forgetCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  await db(tx).updateTable("assignments").set({ created_by: null }).where("created_by", "in", citizenIds).execute();
  await db(tx).updateTable("assignments").set({ accepted_by: null }).where("accepted_by", "in", citizenIds).execute();
}

export const removeEnded = pruneOlder(assignments, "ended_at");

/** What merging did to units, once the merged call is gone: as long as it is kept, the merge can be undone. */
export async function removeMoves(tx: Tx, before: number, limit: number): Promise<number> {
  const rows = await db(tx)
    .selectFrom("assignments_moves")
    .select("merged_id")
    .distinct()
    .where("at", "<", before)
    .where("merged_id", "not in", callIds(tx))
    .limit(limit)
    .execute();
  if (rows.length === 0) return 0;
  const gone = rows.map(({ merged_id: id }) => id);
  const { numDeletedRows } = await db(tx)
    .deleteFrom("assignments_moves")
    .where("merged_id", "in", gone)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
