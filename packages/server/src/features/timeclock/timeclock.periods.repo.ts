import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { bulkInsert, dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { nameKeys } from "#features/citizens/citizens.reads.ts";
import { timeclockLater, timeclockPeriods, type TimeclockTables } from "./timeclock.schema.ts";

export type PeriodRow = Selectable<TimeclockTables["timeclock_periods"]>;
export type RulesRow = Selectable<TimeclockTables["timeclock_rules"]>;
export type LaterRow = Selectable<TimeclockTables["timeclock_later"]>;
export type SumRow = Selectable<TimeclockTables["timeclock_sums"]>;

const db = (tx: Tx) => queries<TimeclockTables>(tx);

/** Null for a job that never set any. */
export async function rulesOf(tx: Tx, job: string): Promise<RulesRow | null> {
  return (await db(tx).selectFrom("timeclock_rules").selectAll().where("job", "=", job).executeTakeFirst()) ?? null;
}

/** Created where the job has none, so that those who add periods take turns. */
export async function lockRules(tx: Tx, fallback: RulesRow): Promise<RulesRow> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("timeclock_rules").values(fallback)).execute();
  const select = db(tx).selectFrom("timeclock_rules").selectAll().where("job", "=", fallback.job);
  return await dialectOf(tx).lock(select).executeTakeFirstOrThrow();
}

export async function saveRules(tx: Tx, job: string, values: Updateable<TimeclockTables["timeclock_rules"]>): Promise<void> {
  await db(tx).updateTable("timeclock_rules").set(values).where("job", "=", job).execute();
}

/** Jobs whose periods go on, and those that have none any more but a last one that has ended, or was said to have. */
export async function jobsToFollow(tx: Tx, now: number): Promise<string[]> {
  const follow = await db(tx).selectFrom("timeclock_rules").select("job").where("length", "is not", null).execute();
  const ended = await db(tx)
    .selectFrom("timeclock_periods")
    .select("job")
    .distinct()
    .where("state", "=", "open")
    .where((e) =>
      e.or([
        e.and([e("told_at", "is", null), e("until_at", "<=", now)]),
        e.and([e("told_at", "is not", null), e("until_at", ">", now)]),
      ]),
    )
    .execute();
  return [...new Set([...follow, ...ended].map(({ job }) => job))].toSorted();
}

export async function lastPeriod(tx: Tx, job: string): Promise<PeriodRow | null> {
  const select = db(tx).selectFrom("timeclock_periods").selectAll().where("job", "=", job);
  return (await select.orderBy("first_day", "desc").limit(1).executeTakeFirst()) ?? null;
}

export async function insertPeriods(tx: Tx, rows: readonly Insertable<TimeclockTables["timeclock_periods"]>[]): Promise<void> {
  await bulkInsert(tx, timeclockPeriods, rows as never);
}

/**
 * Removes open periods that have not begun, and says of none that goes on that it has ended: both are left by a clock that
 * was ahead. Returns how many there were.
 */
export async function takeBackFuture(tx: Tx, job: string, now: number): Promise<number> {
  const removed = await db(tx)
    .deleteFrom("timeclock_periods")
    .where("job", "=", job)
    .where("state", "=", "open")
    .where("from_at", ">", now)
    .executeTakeFirst();
  const { numUpdatedRows } = await db(tx)
    .updateTable("timeclock_periods")
    .set({ told_at: null })
    .where("job", "=", job)
    .where("state", "=", "open")
    .where("until_at", ">", now)
    .where("told_at", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(removed.numDeletedRows) + Number(numUpdatedRows);
}

/** The latest first, before the first day of another one. */
export async function periodsOf(tx: Tx, job: string, before: string | null, limit: number): Promise<PeriodRow[]> {
  let select = db(tx).selectFrom("timeclock_periods").selectAll().where("job", "=", job);
  if (before !== null) select = select.where("first_day", "<", before);
  return await select.orderBy("first_day", "desc").limit(limit).execute();
}

export async function countPeriods(tx: Tx, job: string, cap: number): Promise<number> {
  return (await db(tx).selectFrom("timeclock_periods").select("id").where("job", "=", job).limit(cap).execute()).length;
}

/** Locked when the unit of work can write. */
export async function findPeriod(tx: Tx, id: number): Promise<PeriodRow | null> {
  const select = db(tx).selectFrom("timeclock_periods").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

export async function firstDaysOf(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx).selectFrom("timeclock_periods").select(["id", "first_day"]).where("id", "in", ids).execute();
  return new Map(rows.map(({ id, first_day }) => [id, first_day]));
}

/** Of these jobs, those that can be closed by an instant and end after another one; locked, so that closing and counting take turns. */
export async function lockEnded(tx: Tx, jobs: readonly string[], from: number, by: number): Promise<PeriodRow[]> {
  const select = db(tx)
    .selectFrom("timeclock_periods")
    .selectAll()
    .where("job", "in", jobs)
    .where("until_at", ">", from)
    .where("until_at", "<=", by)
    .orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

/** Ended and open ones of a job of which nobody got a notification. */
export async function untold(tx: Tx, job: string, now: number): Promise<PeriodRow[]> {
  const select = db(tx).selectFrom("timeclock_periods").selectAll().where("job", "=", job).where("state", "=", "open");
  return await select.where("until_at", "<=", now).where("told_at", "is", null).orderBy("first_day").execute();
}

export async function updatePeriods(
  tx: Tx,
  ids: readonly number[],
  values: Updateable<TimeclockTables["timeclock_periods"]>,
): Promise<void> {
  if (ids.length > 0) await db(tx).updateTable("timeclock_periods").set(values).where("id", "in", ids).execute();
}

/** What people worked in the days of a period, and what is carried into it, for the next people by id: no more is taken than was worked. One statement. */
export async function freeze(tx: Tx, row: PeriodRow, limit: number): Promise<void> {
  const { id, job, first_day: firstDay, last_day: lastDay, after_id: after } = row;
  await sql`insert into timeclock_sums (period_id, citizen_id, seconds, later_seconds)
    select ${id}, p.citizen_id, sum(p.worked),
      case when sum(p.worked) + sum(p.carried) < 0 then -sum(p.worked) else sum(p.carried) end from (
      select citizen_id, seconds as worked, 0 as carried from timeclock_days
        where job = ${job} and day >= ${firstDay} and day <= ${lastDay} and seconds > 0 and citizen_id > ${after}
      union all
      select citizen_id, 0 as worked, seconds as carried from timeclock_later
        where carried_id = ${id} and citizen_id > ${after}
    ) p group by p.citizen_id order by p.citizen_id limit ${limit}`.execute(queries(tx));
}

/** What could not be taken from people behind an id, because they worked less: the next period takes it. One statement. */
export async function leaveRest(tx: Tx, { id, job, after_id: after }: PeriodRow, now: number): Promise<void> {
  await sql`insert into timeclock_later (period_id, carried_id, entry_id, citizen_id, job, seconds, why, created_at)
    select ${id}, null, 0, s.citizen_id, ${job}, sum(l.seconds) - s.later_seconds, 'rest', ${now}
      from timeclock_sums s
      join timeclock_later l on l.carried_id = s.period_id and l.citizen_id = s.citizen_id
      where s.period_id = ${id} and s.citizen_id > ${after}
      group by s.citizen_id, s.later_seconds
      having sum(l.seconds) <> s.later_seconds`.execute(queries(tx));
}

/** What is carried into a period, of everybody. */
export async function carriedInto(tx: Tx, periodId: number): Promise<number> {
  const row = await db(tx)
    .selectFrom("timeclock_sums")
    .select((e) => e.fn.sum<number | null>("later_seconds").as("total"))
    .where("period_id", "=", periodId)
    .executeTakeFirstOrThrow();
  return Number(row.total ?? 0);
}

/** The last one that is frozen, and how many are behind an id. */
export async function frozenAfter(tx: Tx, periodId: number, after: number): Promise<{ last: number; count: number }> {
  const row = await db(tx)
    .selectFrom("timeclock_sums")
    .select((e) => [e.fn.max<number | null>("citizen_id").as("last"), e.fn.countAll<number>().as("n")])
    .where("period_id", "=", periodId)
    .where("citizen_id", ">", after)
    .executeTakeFirstOrThrow();
  return { last: Number(row.last ?? after), count: Number(row.n) };
}

export async function frozenSums(tx: Tx, periodId: number): Promise<{ people: number; seconds: number }> {
  const row = await db(tx)
    .selectFrom("timeclock_sums")
    .select((e) => [e.fn.countAll<number>().as("n"), e.fn.sum<number | null>("seconds").as("total")])
    .where("period_id", "=", periodId)
    .executeTakeFirstOrThrow();
  return { people: Number(row.n), seconds: Number(row.total ?? 0) };
}

/** The same as it would be now. */
export async function presentSums(tx: Tx, { job, first_day, last_day }: PeriodRow): Promise<{ people: number; seconds: number }> {
  const row = await db(tx)
    .selectFrom("timeclock_days")
    .select((e) => [e.fn.count<number>("citizen_id").distinct().as("n"), e.fn.sum<number | null>("seconds").as("total")])
    .where("job", "=", job)
    .where("day", ">=", first_day)
    .where("day", "<=", last_day)
    .where("seconds", ">", 0)
    .executeTakeFirstOrThrow();
  return { people: Number(row.n), seconds: Number(row.total ?? 0) };
}

export async function sumsOf(tx: Tx, periodId: number, after: number, limit: number): Promise<SumRow[]> {
  const select = db(tx)
    .selectFrom("timeclock_sums")
    .selectAll()
    .where("period_id", "=", periodId)
    .where("citizen_id", ">", after);
  return await select.orderBy("citizen_id").limit(limit).execute();
}

export interface NamedSum extends SumRow {
  readonly name_key: string;
}

/** By name, as people look for somebody in a list; names change, so that they are not kept with the sums. */
export async function sumsByName(
  tx: Tx,
  periodId: number,
  after: { readonly key: string; readonly id: number } | null,
  limit: number,
): Promise<NamedSum[]> {
  let select = db(tx)
    .selectFrom("timeclock_sums")
    .innerJoin(nameKeys(tx).as("named"), "named.id", "timeclock_sums.citizen_id")
    .selectAll("timeclock_sums")
    .select("named.name_key")
    .where("period_id", "=", periodId);
  if (after !== null)
    select = select.where((e) =>
      e.or([e("named.name_key", ">", after.key), e.and([e("named.name_key", "=", after.key), e("citizen_id", ">", after.id)])]),
    );
  return await select.orderBy("named.name_key").orderBy("citizen_id").limit(limit).execute();
}

/** Corrections that wait for a decision, of entries that lie in a period or would lie in it. */
export async function countOpen(tx: Tx, { job, from_at, until_at }: PeriodRow): Promise<number> {
  const row = await db(tx)
    .selectFrom("timeclock_corrections")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("job", "=", job)
    .where("state", "=", "requested")
    .where((e) =>
      e.or([
        e.and([e("old_from", "<", until_at), e("old_to", ">", from_at)]),
        e.and([e("new_from", "<", until_at), e("new_to", ">", from_at)]),
      ]),
    )
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function countEstimated(tx: Tx, { job, from_at, until_at }: PeriodRow): Promise<number> {
  const row = await db(tx)
    .selectFrom("timeclock_entries")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("job", "=", job)
    .where("to_at", ">", from_at)
    .where("to_at", "<=", until_at)
    .where("state", "=", "counted")
    .where("estimated", "=", 1)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function insertLater(tx: Tx, rows: readonly Insertable<TimeclockTables["timeclock_later"]>[]): Promise<void> {
  await bulkInsert(tx, timeclockLater, rows as never);
}

/**
 * What no period of the job pays yet, the period pays; but what has to be taken from people who worked nothing in it waits
 * for one in which they work, so that former colleagues are not in every later one. One statement.
 */
export async function carryLater(tx: Tx, { id, job, first_day: firstDay, last_day: lastDay }: PeriodRow): Promise<void> {
  // MySQL does not read the table that it updates, unless grouped in a table of its own.
  await sql`update timeclock_later set carried_id = ${id} where job = ${job} and carried_id is null and citizen_id not in (
    select citizen_id from (
      select l.citizen_id from timeclock_later l
        where l.job = ${job} and l.carried_id is null and not exists (
          select 1 from timeclock_days d where d.citizen_id = l.citizen_id and d.job = ${job}
            and d.day >= ${firstDay} and d.day <= ${lastDay} and d.seconds > 0)
        group by l.citizen_id having sum(l.seconds) < 0) idle)`.execute(queries(tx));
}

export async function laterOf(tx: Tx, periodId: number, before: number | null, limit: number): Promise<LaterRow[]> {
  let select = db(tx).selectFrom("timeclock_later").selectAll().where("period_id", "=", periodId);
  if (before !== null) select = select.where("id", "<", before);
  return await select.orderBy("id", "desc").limit(limit).execute();
}

/** How many there are by period. */
export async function countLater(tx: Tx, periodIds: readonly number[]): Promise<Map<number, number>> {
  if (periodIds.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom("timeclock_later")
    .select((e) => ["period_id", e.fn.countAll<number>().as("n")])
    .where("period_id", "in", periodIds)
    .groupBy("period_id")
    .execute();
  return new Map(rows.map(({ period_id, n }) => [period_id, Number(n)]));
}

/** With their sums and what was changed in them later. */
export async function removePeriods(tx: Tx, before: number, limit: number): Promise<number> {
  const select = db(tx)
    .selectFrom("timeclock_periods")
    .select("id")
    .where("until_at", "<", before)
    .orderBy("until_at")
    .limit(limit);
  const ids = (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  await db(tx).deleteFrom("timeclock_sums").where("period_id", "in", ids).execute();
  await db(tx).deleteFrom("timeclock_later").where("period_id", "in", ids).execute();
  await db(tx).deleteFrom("timeclock_periods").where("id", "in", ids).execute();
  return ids.length;
}

export async function removeFromPeriods(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  const ids = [0, ...citizenIds];
  await db(tx).deleteFrom("timeclock_sums").where("citizen_id", "in", ids).execute();
  await db(tx).deleteFrom("timeclock_later").where("citizen_id", "in", ids).execute();
  await db(tx).updateTable("timeclock_periods").set({ closed_by: null }).where("closed_by", "in", ids).execute();
}
