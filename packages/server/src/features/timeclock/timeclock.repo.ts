import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from "kysely";
import { bulkInsert, dialectOf, pruneOlder, queries, reached } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Reach } from "#core/rank.ts";
import { heldGrades } from "#features/citizens/citizens.reads.ts";
import { membersOfGroup } from "#features/jobgroups/jobgroups.reads.ts";
import type { EntryState } from "./timeclock.machine.ts";
import { timeclockEntries, timeclockPeople, type TimeclockTables } from "./timeclock.schema.ts";

export type EntryRow = Selectable<TimeclockTables["timeclock_entries"]>;

const db = (tx: Tx) => queries<TimeclockTables>(tx);
const some = (ids: readonly number[]) => (ids.length === 0 ? [0] : [...ids]);

/** First in each unit of work that writes their entries: what others have written by then is read afterwards. */
export async function lockPeople(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  const ids = [...new Set(citizenIds)].toSorted((a, b) => a - b);
  if (ids.length === 0) return;
  const rows = ids.map((id) => ({ citizen_id: id }));
  await bulkInsert(tx, timeclockPeople, rows, { onConflict: { keys: ["citizen_id"], update: [] } });
  const select = db(tx).selectFrom("timeclock_people").select("citizen_id").where("citizen_id", "in", ids).orderBy("citizen_id");
  await dialectOf(tx).lock(select).execute();
}

/** Of these duties, those that have an entry; locked, and so as they are now whatever the isolation. */
export async function knownDuties(tx: Tx, dutyIds: readonly number[]): Promise<Set<number>> {
  const select = db(tx).selectFrom("timeclock_entries").select("period_id").where("period_id", "in", some(dutyIds));
  return new Set((await dialectOf(tx).lock(select).execute()).map(({ period_id }) => period_id));
}

export async function insertEntries(tx: Tx, rows: readonly Insertable<TimeclockTables["timeclock_entries"]>[]): Promise<void> {
  await bulkInsert(tx, timeclockEntries, rows as never);
}

/** The ids of entries by those of their duties. */
export async function entryIds(tx: Tx, dutyIds: readonly number[]): Promise<Map<number, number>> {
  const select = db(tx).selectFrom("timeclock_entries").select(["id", "period_id"]).where("period_id", "in", some(dutyIds));
  return new Map((await select.execute()).map(({ id, period_id }) => [period_id, id]));
}

/** By the ids of their duties. */
export async function entriesOfDuties(tx: Tx, dutyIds: readonly number[]): Promise<EntryRow[]> {
  return await db(tx).selectFrom("timeclock_entries").selectAll().where("period_id", "in", some(dutyIds)).orderBy("id").execute();
}

/** Of these requests, those for an entry of which no duty is known: it carries their number where others have that of a duty. */
export async function missingAmong(tx: Tx, correctionIds: readonly number[]): Promise<Set<number>> {
  const rows = await entriesOfDuties(
    tx,
    correctionIds.map((id) => -id),
  );
  return new Set(rows.map(({ period_id }) => -period_id));
}

export interface Place {
  /** The last row of the page before. */
  readonly after: { readonly at: number; readonly id: number } | null;
  readonly limit: number;
}

/** Instants, half-open. */
export interface Between {
  readonly from: number;
  readonly until: number;
}

const ofPerson = (tx: Tx, job: string, citizenId: number, { from, until }: Between) =>
  db(tx)
    .selectFrom("timeclock_entries")
    .where("citizen_id", "=", citizenId)
    .where("job", "=", job)
    .where("former", "=", 0)
    .where("from_at", "<", until)
    .where("to_at", ">", from);

/** Of a person in a job, the latest first. */
export async function entriesOf(tx: Tx, job: string, citizenId: number, between: Between, place: Place): Promise<EntryRow[]> {
  const { after, limit } = place;
  let select = ofPerson(tx, job, citizenId, between).selectAll();
  if (after !== null)
    select = select.where((e) =>
      e.or([e("from_at", "<", after.at), e.and([e("from_at", "=", after.at), e("id", "<", after.id)])]),
    );
  return await select.orderBy("from_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

export async function countEntriesOf(tx: Tx, job: string, citizenId: number, between: Between, cap: number): Promise<number> {
  return await counted(tx, ofPerson(tx, job, citizenId, between).select("id").limit(cap));
}

async function counted(tx: Tx, rows: { as(name: "capped"): unknown }): Promise<number> {
  const row = await db(tx)
    .selectFrom(rows.as("capped") as never)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Whose hours are read: those of the job whom a right reaches, or one person. */
export interface Seeing {
  readonly job: string;
  readonly characterId: number;
  readonly reach: Reach;
  readonly grade?: number;
  /** People of a group of the job. */
  readonly groupId?: number;
  readonly citizenId?: number;
}

export function seenPeople(tx: Tx, { characterId, reach, grade, groupId, citizenId }: Seeing, id: string) {
  const person = sql.ref(`${id}.citizen_id`);
  // One's own hours need no right.
  const conditions = [reached({ characterId, reach: { ...reach, own: true } }, person, sql.ref("held.grade"))];
  if (grade !== undefined) conditions.push(sql<SqlBool>`held.grade = ${grade}`);
  if (groupId !== undefined) conditions.push(sql<SqlBool>`${person} in (${membersOfGroup(tx, groupId)})`);
  if (citizenId !== undefined) conditions.push(sql<SqlBool>`${person} = ${citizenId}`);
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** Of those whose hours are read. */
export const seenEntries = (tx: Tx, seeing: Seeing, { from, until }: Between) =>
  db(tx)
    .selectFrom("timeclock_entries as a")
    .innerJoin(heldGrades(tx).as("held"), (join) =>
      join.onRef("held.citizen_id", "=", "a.citizen_id").onRef("held.job", "=", "a.job"),
    )
    .where("a.job", "=", seeing.job)
    .where("a.to_at", ">", from)
    .where("a.from_at", "<", until)
    .where("a.former", "=", 0)
    .where(seenPeople(tx, seeing, "a"));

/** In the order of their ends. */
export async function exportedEntries(tx: Tx, seeing: Seeing, between: Between, { after, limit }: Place): Promise<EntryRow[]> {
  let select = seenEntries(tx, seeing, between).selectAll("a");
  if (after !== null)
    select = select.where((e) =>
      e.or([e("a.to_at", ">", after.at), e.and([e("a.to_at", "=", after.at), e("a.id", ">", after.id)])]),
    );
  return await select.orderBy("a.to_at").orderBy("a.id").limit(limit).execute();
}

export async function countExported(tx: Tx, seeing: Seeing, between: Between, cap: number): Promise<number> {
  return await counted(tx, seenEntries(tx, seeing, between).select("a.id").limit(cap));
}

/** Locked when the unit of work can write. */
export async function find(tx: Tx, id: number): Promise<EntryRow | null> {
  const select = db(tx).selectFrom("timeclock_entries").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** Entries of these people, in any job, that end after an instant; locked, so that those who change them take turns. */
export async function lockCounted(
  tx: Tx,
  citizenIds: readonly number[],
  after: number,
  states: readonly EntryState[] = ["counted"],
): Promise<EntryRow[]> {
  const select = db(tx)
    .selectFrom("timeclock_entries")
    .selectAll()
    .where("citizen_id", "in", some(citizenIds))
    .where("state", "in", states)
    .where("to_at", ">", after)
    .orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

export async function updateEntry(tx: Tx, id: number, values: Updateable<TimeclockTables["timeclock_entries"]>): Promise<void> {
  await db(tx).updateTable("timeclock_entries").set(values).where("id", "=", id).execute();
}

/** How far the duties that had ended before are counted, locked; null when all are. */
export async function lockFill(tx: Tx): Promise<number | null> {
  const select = db(tx).selectFrom("timeclock_fill").select("after_id").where("id", "=", 1).where("done_at", "is", null);
  return (await dialectOf(tx).lock(select).executeTakeFirst())?.after_id ?? null;
}

export async function isFilled(tx: Tx): Promise<boolean> {
  const waiting = db(tx).selectFrom("timeclock_fill").select("id").where("done_at", "is", null);
  return (await waiting.executeTakeFirst()) === undefined;
}

export async function saveFill(tx: Tx, afterId: number, doneAt: number | null): Promise<void> {
  await db(tx).updateTable("timeclock_fill").set({ after_id: afterId, done_at: doneAt }).where("id", "=", 1).execute();
}

export const removeEntries = pruneOlder(timeclockEntries, "to_at");

/** All that is stored of citizens who were removed for good. */
export async function removeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  const ids = some(citizenIds);
  const owned = ["entries", "days", "months", "years", "corrections", "people"] as const;
  for (const table of owned.map((name) => `timeclock_${name}` as const))
    await db(tx).deleteFrom(table).where("citizen_id", "in", ids).execute();
  for (const column of ["requested_by", "decided_by"] as const)
    await db(tx)
      .updateTable("timeclock_corrections")
      .set({ [column]: null })
      .where(column, "in", ids)
      .execute();
}
