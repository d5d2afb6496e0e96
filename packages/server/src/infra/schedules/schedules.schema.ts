import { col, defineTable, type TableOf } from "#core/db/table.ts";

/**
 * Runs of schedules. `outcome`: `waiting` marks when a schedule was first seen, `requested` waits for a
 * worker to begin it out of turn, `running` has not ended yet, then `done`, `failed`, `stopped` (the
 * process stopped or the lease was lost) or `lost` (its worker died); `skipped` marks a run missed
 * without a worker, `held` one that would have deleted by a clock that is not trusted.
 */
export const scheduleRuns = defineTable(
  "job_runs",
  {
    id: col.id(),
    job: col.key(100),
    owner: col.key(40),
    started_at: col.int(),
    finished_at: col.int().orNull(),
    outcome: col.key(20),
    message: col.text(1000).orNull(),
    /** JSON: the number of deleted rows by kind, for a run that deletes. */
    removed: col.longText().orNull(),
  },
  { primary: ["id"], indexes: { job_runs_job: ["job", "id"] } },
);

export interface ScheduleTables {
  job_runs: TableOf<typeof scheduleRuns>;
}

export type RunOutcome = "waiting" | "requested" | "running" | "done" | "failed" | "stopped" | "lost" | "skipped" | "held";
