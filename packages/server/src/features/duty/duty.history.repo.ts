import type { Selectable } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { DutyTables } from "./duty.schema.ts";

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

/** Of those that nobody has to confirm, the newest, at most `limit`. One statement. */
export async function spans(tx: Tx, periods: PeriodsWanted, limit: number): Promise<{ from: number; to: number }[]> {
  const rows = await wanted(tx, periods)
    .select(["from_at", "to_at"])
    .where("proposed", "=", 0)
    .orderBy("to_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ from_at, to_at }) => ({ from: from_at, to: to_at }));
}

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
