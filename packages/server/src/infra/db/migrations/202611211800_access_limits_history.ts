import { col, defineTable, migration } from "./kit.ts";

const accessLimitsRevisions = defineTable(
  "access_limits_revisions",
  {
    job: col.key(50),
    version: col.int(),
    at: col.int(),
    changed_by: col.text(100),
    was: col.longText().orNull(),
    became: col.longText().orNull(),
  },
  { primary: ["job", "version"] },
);

export default migration(async (steps) => {
  await steps.createTable(accessLimitsRevisions);
});
