import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Days are stored as people chose them, and as the instants that they mean. */
export const absences = defineTable(
  "absences",
  {
    id: col.id(),
    job: col.key(50),
    citizen_id: col.int(),
    /** Null for the kind that comes with Rollcall. */
    kind_id: col.int().orNull(),
    from_at: col.int(),
    /** The first instant after the last day. */
    until_at: col.int(),
    first_day: col.key(10),
    last_day: col.key(10),
    reason: col.text(255).orNull(),
    substitute_id: col.int().orNull(),
    state: col.key(10),
    /** Null once the citizen was removed for good. */
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
      absences_substitute: ["substitute_id", "until_at"],
    },
  },
);

export const absencesKinds = defineTable(
  "absences_kinds",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(48),
    /** Without accents and case. */
    name_key: col.key(200),
    /** 0 while it is not deleted, then its id: a name is free again. */
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

/** One row a job that has changed its rules or its kinds; it is what changes of kinds lock. */
export const absencesRules = defineTable(
  "absences_rules",
  { job: col.key(50), share: col.int().orNull(), version: col.int(), updated_at: col.int() },
  { primary: ["job"] },
);

export interface AbsenceTables {
  absences: TableOf<typeof absences>;
  absences_kinds: TableOf<typeof absencesKinds>;
  absences_rules: TableOf<typeof absencesRules>;
}
