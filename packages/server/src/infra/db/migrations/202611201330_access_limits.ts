import { col, defineTable, migration } from "./kit.ts";

const accessLimits = defineTable(
  "access_limits",
  { job: col.key(50), version: col.int(), limits: col.longText().orNull(), updated_at: col.int() },
  { primary: ["job"] },
);

const accessRevisions = defineTable(
  "access_revisions",
  {
    job: col.key(50),
    grade: col.int(),
    version: col.int(),
    at: col.int(),
    changed_by: col.text(100),
    was: col.longText().orNull(),
    became: col.longText().orNull(),
  },
  { primary: ["job", "grade", "version"] },
);

export default migration(async (steps) => {
  await steps.createTable(accessLimits);
  await steps.createTable(accessRevisions);
});
