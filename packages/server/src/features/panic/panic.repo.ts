import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from "kysely";
import { dialectOf, type Ordered, type Position, queries, readOrdered } from "#core/db/index.ts";
import type { SearchVisibility, Tx } from "#core/ports/index.ts";
import type { PanicTables } from "./panic.schema.ts";

export type PanicRow = Selectable<PanicTables["panic"]>;
export type AlarmRow = Selectable<PanicTables["panic_alarms"]>;
export type RulesRow = Selectable<PanicTables["panic_rules"]>;

const db = (tx: Tx) => queries<PanicTables>(tx);

export interface PanicFilter {
  /** Only these. */
  readonly ids?: readonly number[];
  readonly state?: string;
}

/** Compiled into each query: those that alarmed a job. */
function filtered(tx: Tx, job: string, { ids, state }: PanicFilter) {
  const alarmed = sql<SqlBool>`panic.id in (select panic_id from panic_alarms where job = ${job})`;
  let query = db(tx).selectFrom("panic").where(alarmed);
  if (ids !== undefined) query = query.where("id", "in", ids.length === 0 ? [0] : [...ids]);
  if (state !== undefined) query = query.where("state", "=", state);
  return query;
}

/** The same for the search. */
export function foundBy(job: string): SearchVisibility {
  const ids = "select panic_id as id from panic_alarms where job = ?";
  return { condition: { sql: `{id} in (${ids})`, params: [job] }, among: { sql: ids, params: [job] } };
}

export async function listRows(
  tx: Tx,
  job: string,
  filter: PanicFilter,
  { position, limit }: { readonly position: Position; readonly limit: number },
): Promise<(PanicRow & Ordered)[]> {
  const narrowed = filter.ids !== undefined;
  return await readOrdered(tx, filtered(tx, job, filter).selectAll("panic"), { position, limit, narrowed });
}

/** How many match, counted no further than `cap`. */
export async function countRows(tx: Tx, job: string, filter: PanicFilter, cap: number): Promise<number> {
  const row = await db(tx)
    .selectFrom(filtered(tx, job, filter).select("panic.id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Its id, of the panic with this call; a call has one at most. */
export async function ofCall(tx: Tx, job: string, callId: number): Promise<number[]> {
  const rows = await filtered(tx, job, {}).select("panic.id").where("call_id", "=", callId).execute();
  return rows.map(({ id }) => id);
}

/** Active ones of a job and of a person, the newest first. */
export async function activeFor(tx: Tx, job: string, citizenId: number, limit: number): Promise<PanicRow[]> {
  return await db(tx)
    .selectFrom("panic")
    .selectAll()
    .where("state", "=", "active")
    .where(sql<SqlBool>`(citizen_id = ${citizenId} or id in (select panic_id from panic_alarms where job = ${job}))`)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Where somebody was. */
export interface SeenPlace {
  readonly x: number;
  readonly y: number;
  readonly postal: string | null;
  readonly at: number;
}

/** Without a place to keep: the panic has ended. */
export const unseen = { seen_x: null, seen_y: null, seen_postal: null, seen_at: null };

/** Where somebody was followed to, unless something newer is known or the panic has ended. */
export async function saveSeen(tx: Tx, id: number, { x, y, postal, at }: SeenPlace): Promise<void> {
  await db(tx)
    .updateTable("panic")
    .set({ seen_x: x, seen_y: y, seen_postal: postal, seen_at: at })
    .where("id", "=", id)
    .where("state", "=", "active")
    .where((e) => e.or([e("seen_at", "is", null), e("seen_at", "<", at)]))
    .execute();
}

/** All whose place is followed. */
export async function followed(tx: Tx, now: number): Promise<PanicRow[]> {
  const active = db(tx).selectFrom("panic").selectAll().where("state", "=", "active");
  return await active.where("place_until", ">", now).orderBy("id").execute();
}

/** Locked when the unit of work can write. */
export async function find(tx: Tx, id: number): Promise<PanicRow | null> {
  const select = db(tx).selectFrom("panic").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** Those of a person since an instant, the newest first, locked. */
export async function ofPerson(tx: Tx, citizenId: number, since: number): Promise<PanicRow[]> {
  const select = db(tx).selectFrom("panic").selectAll().where("citizen_id", "=", citizenId).where("pressed_at", ">", since);
  return await dialectOf(tx).lock(select.orderBy("pressed_at", "desc").orderBy("id", "desc")).execute();
}

export async function insert(tx: Tx, row: Insertable<PanicTables["panic"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("panic").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<PanicTables["panic"]>): Promise<void> {
  await db(tx).updateTable("panic").set(values).where("id", "=", id).execute();
}

export async function insertAlarms(tx: Tx, rows: readonly Insertable<PanicTables["panic_alarms"]>[]): Promise<void> {
  await db(tx)
    .insertInto("panic_alarms")
    .values([...rows])
    .execute();
}

export async function updateAlarm(
  tx: Tx,
  { panic_id: id, job }: Pick<AlarmRow, "panic_id" | "job">,
  values: Updateable<PanicTables["panic_alarms"]>,
): Promise<void> {
  await db(tx).updateTable("panic_alarms").set(values).where("panic_id", "=", id).where("job", "=", job).execute();
}

/** By panic, the job of the person first. */
export async function alarmsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, AlarmRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx).selectFrom("panic_alarms").selectAll().where("panic_id", "in", ids).orderBy("position").execute();
  return Map.groupBy(rows, ({ panic_id }) => panic_id);
}

/** How many of a job since an instant, by state. */
export async function countStates(tx: Tx, job: string, since: number): Promise<{ state: string; count: number }[]> {
  const rows = await filtered(tx, job, {})
    .select((e) => ["panic.state", e.fn.countAll<number>().as("n")])
    .where("pressed_at", ">=", since)
    .groupBy("panic.state")
    .orderBy("panic.state")
    .execute();
  return rows.map(({ state, n }) => ({ state, count: Number(n) }));
}

/** Of the panics of a job since an instant: when each was pressed and acknowledged, and how often it was repeated. */
export async function answersSince(tx: Tx, job: string, since: number) {
  return await db(tx)
    .selectFrom("panic_alarms")
    .innerJoin("panic", "panic.id", "panic_alarms.panic_id")
    .select(["panic.pressed_at", "panic_alarms.acknowledged_at", "panic_alarms.repeats"])
    .where("panic_alarms.job", "=", job)
    .where("panic.pressed_at", ">=", since)
    .execute();
}

export async function rulesOf(tx: Tx, job: string): Promise<RulesRow | null> {
  return (await db(tx).selectFrom("panic_rules").selectAll().where("job", "=", job).executeTakeFirst()) ?? null;
}

/** Jobs that name this one. */
export async function naming(tx: Tx, to: string): Promise<string[]> {
  const rows = await db(tx).selectFrom("panic_rules").select("job").where("to_job", "=", to).orderBy("job").execute();
  return rows.map(({ job }) => job);
}

export async function lockRules(tx: Tx, fallback: RulesRow): Promise<RulesRow> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("panic_rules").values(fallback)).execute();
  const select = db(tx).selectFrom("panic_rules").selectAll().where("job", "=", fallback.job);
  return await dialectOf(tx).lock(select).executeTakeFirstOrThrow();
}

export async function saveRules(tx: Tx, { job, ...values }: RulesRow): Promise<void> {
  await db(tx).updateTable("panic_rules").set(values).where("job", "=", job).execute();
}

/** That somebody pressed or answered stays, and nothing of whom; answers the panics of these people. */
export async function forgetCitizens(tx: Tx, citizenIds: readonly number[]): Promise<number[]> {
  if (citizenIds.length === 0) return [];
  const rows = await db(tx).selectFrom("panic").select("id").where("citizen_id", "in", citizenIds).execute();
  await db(tx)
    .updateTable("panic")
    .set({ citizen_id: null, note: null, ...unseen })
    .where("citizen_id", "in", citizenIds)
    .execute();
  const gone = { ended_by: "–", ended_by_id: null };
  await db(tx).updateTable("panic").set(gone).where("ended_by_id", "in", citizenIds).execute();
  const answered = { acknowledged_by: "–", acknowledged_by_id: null };
  await db(tx).updateTable("panic_alarms").set(answered).where("acknowledged_by_id", "in", citizenIds).execute();
  return rows.map(({ id }) => id);
}

/** The oldest that ended before an instant, locked. */
export async function endedBefore(tx: Tx, before: number, limit: number): Promise<number[]> {
  const select = db(tx).selectFrom("panic").select("id").where("ended_at", "<", before).orderBy("ended_at").limit(limit);
  return (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
}

export async function remove(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db(tx).deleteFrom("panic_alarms").where("panic_id", "in", ids).execute();
  await db(tx).deleteFrom("panic").where("id", "in", ids).execute();
}
