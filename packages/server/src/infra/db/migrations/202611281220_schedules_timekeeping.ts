import { col, defineTable, migration, queries, sql } from "./kit.ts";

const timekeeping = defineTable(
  "timekeeping",
  { slot: col.int(), seen_at: col.int().orNull(), zone: col.key(64).orNull() },
  { primary: ["slot"] },
);

export default migration(async (steps) => {
  await steps.createTable(timekeeping);
  await steps.runData("seen", async (tx) => {
    // Before anything else runs: the first start with a wrong clock must find an instant that was right.
    await sql`insert into timekeeping (slot, seen_at, zone) select 1, max(started_at), null from job_runs`.execute(queries(tx));
  });
});
