import { sql } from "kysely";
import { bulkInsert, pruneOlder, queries } from "#core/db/index.ts";
import type { NewRow } from "#core/db/table.ts";
import type { Tx } from "#core/ports/index.ts";
import { schedulerRuns, type SchedulerTables } from "./scheduler.schema.ts";

/** Runs that began in the same hour are one point: a schedule of a few seconds has thousands a day. */
const pointMs = 60 * 60_000;

export interface DurationPoint {
  /** When the first of its runs began. */
  readonly at: number;
  readonly runs: number;
  readonly failed: number;
  /** Null when no run of this point has a known duration. */
  readonly meanMs: number | null;
  readonly longestMs: number | null;
}

/** Two runs of one schedule begin at the same millisecond only under a test clock; the later one counts. */
export async function insertRun(tx: Tx, run: NewRow<typeof schedulerRuns>): Promise<void> {
  await bulkInsert(tx, schedulerRuns, [run], {
    onConflict: { keys: ["schedule", "started_at"], update: ["took_ms", "outcome"] },
  });
}

/** The runs of one schedule since an instant, in order of time. */
export async function durationsSince(tx: Tx, schedule: string, since: number): Promise<DurationPoint[]> {
  const point = sql<number>`started_at - started_at % ${sql.lit(pointMs)}`;
  const rows = await queries<SchedulerTables>(tx)
    .selectFrom("scheduler_runs")
    .select(({ fn }) => [
      fn.min<number>("started_at").as("at"),
      fn.countAll<number>().as("runs"),
      sql<number>`sum(case when outcome in ('failed', 'lost') then 1 else 0 end)`.as("failed"),
      sql<number | null>`avg(took_ms)`.as("mean"),
      fn.max<number | null>("took_ms").as("longest"),
    ])
    .where("schedule", "=", schedule)
    .where("started_at", ">=", since)
    .groupBy(point)
    .orderBy("at")
    .execute();
  return rows.map(({ at, runs, failed, mean, longest }) => ({
    at: Number(at),
    runs: Number(runs),
    failed: Number(failed),
    meanMs: mean === null ? null : Math.round(Number(mean)),
    longestMs: longest === null ? null : Number(longest),
  }));
}

export const removeRuns = pruneOlder(schedulerRuns, "started_at");
