import { col, defineTable, migration } from "./kit.ts";

const installation = defineTable(
  "installation",
  { slot: col.int(), id: col.key(26), created_at: col.int() },
  { primary: ["slot"] },
);

export default migration(async (steps) => {
  await steps.createTable(installation);
});
