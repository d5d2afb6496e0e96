import { col, defineTable, migration } from "./kit.ts";

const jobgroupsTurns = defineTable("jobgroups_turns", { job: col.key(50) }, { primary: ["job"] });

export default migration(async (steps) => {
  await steps.createTable(jobgroupsTurns);
});
