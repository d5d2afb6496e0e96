import { col, defineTable, migration } from "./kit.ts";

const preferences = defineTable(
  "preferences",
  {
    account_id: col.int(),
    character_id: col.int(),
    name: col.key(100),
    value: col.longText(),
    version: col.int(),
    updated_at: col.int(),
  },
  { primary: ["account_id", "character_id", "name"] },
);

export default migration(async (steps) => {
  await steps.createTable(preferences);
});
