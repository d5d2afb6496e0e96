import { col, defineTable, type TableOf } from "#core/db/table.ts";

/**
 * Runs of recurring jobs. `outcome`: `waiting` marks when a job was first seen, `requested` waits for a
 * worker to begin it out of turn, `running` has no end yet, then `done`, `failed`, `stopped` (the program or its lease ended first) or `lost` (its
 * worker died); `skipped` marks a time that passed without a worker.
 */
export const jobRuns = defineTable(
  "job_runs",
  {
    id: col.id(),
    job: col.key(100),
    owner: col.key(40),
    started_at: col.int(),
    finished_at: col.int().orNull(),
    outcome: col.key(20),
    message: col.text(1000).orNull(),
    /** JSON: how many rows of which kind went, for a run that removes. */
    removed: col.longText().orNull(),
  },
  { primary: ["id"], indexes: { job_runs_job: ["job", "id"] } },
);

export interface JobTables {
  job_runs: TableOf<typeof jobRuns>;
}

export type JobOutcome = "waiting" | "requested" | "running" | "done" | "failed" | "stopped" | "lost" | "skipped";
