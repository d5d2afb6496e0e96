import { type Selectable, sql } from "kysely";
import { bulkInsert, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { dutySilences, type DutyTables } from "./duty.schema.ts";
import type { Gaps, Span } from "./duty.statistics.policy.ts";

export type PeriodRow = Selectable<DutyTables["duty_periods"]>;

export interface PeriodsWanted {
  readonly job: string;
  /** Ended at or after. */
  readonly from: number;
  /** Ended at or before. */
  readonly to: number;
}

const wanted = (tx: Tx, { job, from, to }: PeriodsWanted) =>
  queries<DutyTables>(tx).selectFrom("duty_periods").where("job", "=", job).where("to_at", ">=", from).where("to_at", "<=", to);

/** Of those that nobody has to confirm, the newest, at most `limit`. */
const endedIn = (tx: Tx, periods: PeriodsWanted, limit: number) =>
  wanted(tx, periods)
    .select([sql<string>`'ended'`.as("what"), "citizen_id", "source", "from_at", "to_at"])
    // As an expression, so that no database reads the periods of all jobs by the index that begins with this column.
    .where(sql<number>`proposed + 0`, "=", 0)
    .orderBy("to_at", "desc")
    .limit(limit)
    .as("ended");

/** What the statistic of a job takes from what is over. */
export function statisticsStatement(tx: Tx, periods: PeriodsWanted, limit: number) {
  const db = queries<DutyTables>(tx);
  const nobody = sql<number>`0`.as("citizen_id");
  const silences = db
    .selectFrom("duty_silences")
    .select([sql<string>`'silence'`.as("what"), nobody, "source", "from_at", "to_at"])
    .where("to_at", ">", periods.from);
  const first = db
    .selectFrom("duty_periods")
    .select([sql<string>`'first'`.as("what"), nobody, sql<string | null>`null`.as("source"), "from_at", "to_at"])
    .where("proposed", "=", 0)
    .orderBy("to_at")
    .limit(1)
    .as("first_ended");
  return db
    .selectFrom(endedIn(tx, periods, limit))
    .selectAll()
    .unionAll(silences as never)
    .unionAll(db.selectFrom(first).selectAll() as never);
}

export interface PastDuties {
  readonly ended: readonly Span[];
  /** Where the first one of all began; null without one. */
  readonly since: number | null;
  readonly silences: Gaps["silences"];
}

/** One statement. */
export async function pastDuties(tx: Tx, periods: PeriodsWanted, limit: number): Promise<PastDuties> {
  interface Row {
    readonly what: string;
    readonly citizen_id: number;
    readonly source: string | null;
    readonly from_at: number;
    readonly to_at: number;
  }
  const rows = (await statisticsStatement(tx, periods, limit).execute()) as unknown as Row[];
  const spans = (wantedRows: string): Span[] =>
    rows
      .filter(({ what }) => what === wantedRows)
      .map(({ citizen_id, source, from_at, to_at }) => {
        return { citizen: Number(citizen_id), source, from: Number(from_at), to: Number(to_at) };
      });
  return {
    ended: spans("ended"),
    since: spans("first")[0]?.from ?? null,
    silences: spans("silence").map(({ source, from, to }) => ({ source: source ?? "", from, to })),
  };
}

/** Silences that are over, of any source. */
export async function silencesIn(
  tx: Tx,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<Gaps["silences"]> {
  const select = queries<DutyTables>(tx).selectFrom("duty_silences").select(["source", "from_at as from", "to_at as to"]);
  return await select.where("to_at", ">", from).where("from_at", "<", to).orderBy("from_at").execute();
}

/** Sources that reported a duty in this job which ended after an instant. */
export async function reportingSources(tx: Tx, job: string, from: number): Promise<{ readonly source: string }[]> {
  const db = queries<DutyTables>(tx);
  const reported = db
    .selectFrom("duty_periods as p")
    .select("p.id")
    .where("p.source", "=", sql.ref<string>("s.source"))
    .where("p.job", "=", job)
    .where("p.to_at", ">=", from);
  return await db
    .selectFrom("duty_sources as s")
    .select("s.source")
    .where((e) => e.exists(reported))
    .execute();
}

/** A source was silent from its last call until now. */
export async function addSilence(tx: Tx, source: string, from: number, to: number): Promise<void> {
  await bulkInsert(tx, dutySilences, [{ source, from_at: from, to_at: to }]);
}

export const pruneSilences = pruneOlder(dutySilences, "to_at");

/** Up to `cap`. */
export async function countPeriods(tx: Tx, periods: PeriodsWanted, cap: number): Promise<number> {
  const row = await queries<DutyTables>(tx)
    .selectFrom(wanted(tx, periods).select("id").limit(cap).as("found"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** The newest first, behind the last one of the page before. */
export async function periodsAfter(
  tx: Tx,
  periods: PeriodsWanted,
  after: { readonly to: number; readonly id: number } | null,
  limit: number,
): Promise<PeriodRow[]> {
  const to = Math.min(periods.to, after?.to ?? periods.to);
  let select = wanted(tx, { ...periods, to }).selectAll();
  // The range of the index already begins at the instant, so that only periods of that one are skipped.
  if (after !== null) select = select.where((e) => e.or([e("to_at", "<", after.to), e("id", "<", after.id)]));
  return await select.orderBy("to_at", "desc").orderBy("id", "desc").limit(limit).execute();
}
