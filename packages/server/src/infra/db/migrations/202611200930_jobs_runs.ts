import { col, defineTable, migration } from "./kit.ts";

const jobRuns = defineTable(
  "job_runs",
  {
    id: col.id(),
    job: col.key(100),
    owner: col.key(40),
    started_at: col.int(),
    finished_at: col.int().orNull(),
    outcome: col.key(20),
    message: col.text(1000).orNull(),
  },
  { primary: ["id"], indexes: { job_runs_job: ["job", "id"] } },
);

export default migration(async (steps) => {
  await steps.createTable(jobRuns);
});
