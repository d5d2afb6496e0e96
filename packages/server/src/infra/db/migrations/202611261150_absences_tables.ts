import { col, defineTable, migration } from "./kit.ts";

const absences = defineTable(
  "absences",
  {
    id: col.id(),
    job: col.key(50),
    citizen_id: col.int(),
    kind_id: col.int().orNull(),
    from_at: col.int(),
    until_at: col.int(),
    first_day: col.key(10),
    last_day: col.key(10),
    reason: col.text(255).orNull(),
    substitute_id: col.int().orNull(),
    state: col.key(10),
    requested_by: col.int().orNull(),
    decided_by: col.int().orNull(),
    decided_at: col.int().orNull(),
    decision_reason: col.text(500).orNull(),
    version: col.int(),
    created_at: col.int(),
  },
  {
    primary: ["id"],
    indexes: {
      absences_person: ["citizen_id", "job", "until_at"],
      absences_job: ["job", "state", "until_at"],
      absences_ended: ["until_at"],
      absences_kind: ["kind_id"],
    },
  },
);

const absencesKinds = defineTable(
  "absences_kinds",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(48),
    name_key: col.key(200),
    deleted_marker: col.int(),
    colour: col.key(7),
    icon: col.key(129).orNull(),
    needs_approval: col.flag(),
    days_back: col.int(),
    days_ahead: col.int(),
    most_days: col.int(),
    position: col.int(),
    version: col.int(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { absences_kinds_name: ["job", "name_key", "deleted_marker"] },
    indexes: { absences_kinds_deleted: ["deleted_at"] },
  },
);

const absencesRules = defineTable(
  "absences_rules",
  { job: col.key(50), share: col.int().orNull(), version: col.int(), updated_at: col.int() },
  { primary: ["job"] },
);

export default migration(async (steps) => {
  for (const table of [absences, absencesKinds, absencesRules]) await steps.createTable(table);
});
