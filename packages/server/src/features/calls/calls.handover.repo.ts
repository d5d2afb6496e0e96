import type { Insertable, Selectable, Updateable } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { jobsOfCall, removeJob } from "./calls.repo.ts";
import type { CallsTables } from "./calls.schema.ts";

export type HandOverRow = Selectable<CallsTables["calls_handovers"]>;

const db = (tx: Tx) => queries<CallsTables>(tx);

/** By call, what another job is asked to take over. */
export async function askedOf(tx: Tx, callIds: readonly number[]): Promise<Map<number, HandOverRow>> {
  if (callIds.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom("calls_handovers")
    .selectAll()
    .where("call_id", "in", callIds)
    .where("state", "=", "asked")
    .execute();
  return new Map(rows.map((row) => [row.call_id, row]));
}

/** Jobs that have handed a call over, and whose units are still at it. */
export async function leavingOf(tx: Tx, callId: number): Promise<HandOverRow[]> {
  return await db(tx)
    .selectFrom("calls_handovers")
    .selectAll()
    .where("call_id", "=", callId)
    .where("state", "=", "leaving")
    .execute();
}

/** Jobs that dispatch a call, without those that leave it. */
export async function dispatching(tx: Tx, callId: number): Promise<string[]> {
  const leaving = new Set((await leavingOf(tx, callId)).map(({ from_job: job }) => job));
  return (await jobsOfCall(tx, callId)).flatMap(({ job, level }) => (level === "dispatch" && !leaving.has(job) ? [job] : []));
}

export async function insert(tx: Tx, row: Insertable<CallsTables["calls_handovers"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("calls_handovers").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function callOf(tx: Tx, id: number): Promise<number | null> {
  const row = await db(tx).selectFrom("calls_handovers").select("call_id").where("id", "=", id).executeTakeFirst();
  return row?.call_id ?? null;
}

export async function update(tx: Tx, id: number, values: Updateable<CallsTables["calls_handovers"]>): Promise<void> {
  await db(tx).updateTable("calls_handovers").set(values).where("id", "=", id).execute();
}

export async function remove(tx: Tx, id: number): Promise<void> {
  await db(tx).deleteFrom("calls_handovers").where("id", "=", id).execute();
}

/** A job that sees a call because it is asked to take it over, and for nothing else; null for none. */
export async function broughtTo(tx: Tx, callId: number): Promise<string | null> {
  const asked = (await askedOf(tx, [callId])).get(callId);
  return asked?.brought === 1 ? asked.to_job : null;
}

/** Ends a question that nobody answered: a job that saw the call for it alone no longer does. */
export async function drop(tx: Tx, { id, call_id: callId, to_job: job, brought }: HandOverRow): Promise<void> {
  await remove(tx, id);
  if (brought === 1) await removeJob(tx, callId, job);
}

/** The names of people who were removed for good. */
export async function forgetCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  const gone = { asked_by: null, asked_name: null };
  await db(tx).updateTable("calls_handovers").set(gone).where("asked_by", "in", citizenIds).execute();
}

/** Jobs that leave a call leave the one that is split off from it, too. */
export async function copyLeaving(tx: Tx, fromId: number, intoId: number): Promise<void> {
  for (const { id: _id, ...row } of await leavingOf(tx, fromId)) await insert(tx, { ...row, call_id: intoId });
}

/** A job no longer leaves: it dispatches the call after all, or is gone from it. */
export async function removeLeaving(tx: Tx, callId: number, job: string): Promise<void> {
  await db(tx)
    .deleteFrom("calls_handovers")
    .where("call_id", "=", callId)
    .where("state", "=", "leaving")
    .where("from_job", "=", job)
    .execute();
}

/** Jobs that leave a call to one that hands it on leave it to the next one. */
export async function handOn(
  tx: Tx,
  callId: number,
  { from, to, at }: { readonly from: string; readonly to: string; readonly at: number },
): Promise<void> {
  await db(tx)
    .updateTable("calls_handovers")
    .set({ to_job: to, asked_at: at })
    .where("call_id", "=", callId)
    .where("state", "=", "leaving")
    .where("to_job", "=", from)
    .execute();
}
