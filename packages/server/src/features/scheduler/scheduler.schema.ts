import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** The ended runs of every schedule, for plots: without what a run said or removed, so that many can be kept. */
export const schedulerRuns = defineTable(
  "scheduler_runs",
  {
    schedule: col.key(100),
    started_at: col.int(),
    /** Milliseconds; null when its worker died, so that nobody knows how long it ran. */
    took_ms: col.int().orNull(),
    /** `done`, `failed`, `stopped` or `lost`. */
    outcome: col.key(20),
  },
  { primary: ["schedule", "started_at"], indexes: { scheduler_runs_started: ["started_at"] } },
);

export interface SchedulerTables {
  scheduler_runs: TableOf<typeof schedulerRuns>;
}
