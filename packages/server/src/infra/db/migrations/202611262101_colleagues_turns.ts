import { col, defineTable, migration } from "./kit.ts";

const colleaguesTurns = defineTable("colleagues_turns", { job: col.key(50) }, { primary: ["job"] });

export default migration(async (steps) => {
  await steps.createTable(colleaguesTurns);
});
