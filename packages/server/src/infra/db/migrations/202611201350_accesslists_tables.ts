import { col, defineTable, migration } from "./kit.ts";

const accesslistsEntries = defineTable(
  "accesslists_entries",
  {
    object_kind: col.key(32),
    object_id: col.int(),
    subject_kind: col.key(16),
    job: col.key(50),
    min_grade: col.int(),
    subject_id: col.int(),
    level: col.int(),
    required_level: col.int(),
  },
  {
    primary: ["object_kind", "object_id", "subject_kind", "job", "min_grade", "subject_id"],
    indexes: {
      accesslists_entries_job: ["object_kind", "subject_kind", "job", "min_grade", "object_id", "level"],
      accesslists_entries_person: ["object_kind", "subject_kind", "subject_id", "object_id", "level"],
    },
  },
);

const accesslistsGrades = defineTable(
  "accesslists_grades",
  { object_kind: col.key(32), job: col.key(50), min_grade: col.int() },
  { primary: ["object_kind", "job", "min_grade"] },
);

export default migration(async (steps) => {
  await steps.createTable(accesslistsEntries);
  await steps.createTable(accesslistsGrades);
});
