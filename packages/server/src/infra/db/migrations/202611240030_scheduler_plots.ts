import { col, defineTable, migration, queries, sql, type TableOf } from "./kit.ts";

const schedulerRuns = defineTable(
  "scheduler_runs",
  {
    schedule: col.key(100),
    started_at: col.int(),
    took_ms: col.int().orNull(),
    outcome: col.key(20),
  },
  { primary: ["schedule", "started_at"], indexes: { scheduler_runs_started: ["started_at"] } },
);

export default migration(async (steps) => {
  await steps.createTable(schedulerRuns);
  // The newest 100 runs of each schedule are known already: the plots begin with them.
  await steps.runData("known runs", async (tx) => {
    await sql`
      insert into scheduler_runs (schedule, started_at, took_ms, outcome)
      select job, started_at, max(case when outcome = 'lost' then null else finished_at - started_at end), max(outcome)
      from job_runs
      where finished_at is not null and outcome in ('done', 'failed', 'stopped', 'lost')
      group by job, started_at
    `.execute(queries<{ scheduler_runs: TableOf<typeof schedulerRuns> }>(tx));
  });
});
