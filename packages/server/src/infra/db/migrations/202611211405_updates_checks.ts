import { col, defineTable, migration } from "./kit.ts";

const updatesChecks = defineTable(
  "updates_checks",
  {
    id: col.int(),
    checked_at: col.int(),
    known_at: col.int().orNull(),
    problem: col.text(300).orNull(),
    version: col.key(100).orNull(),
    notes: col.longText(),
    url: col.text(500).orNull(),
    published_at: col.int().orNull(),
    told: col.key(100).orNull(),
  },
  { primary: ["id"] },
);

export default migration(async (steps) => {
  await steps.createTable(updatesChecks);
});
