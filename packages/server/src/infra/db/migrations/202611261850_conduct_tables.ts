import { col, defineTable, migration } from "./kit.ts";

const conductEntries = defineTable(
  "conduct_entries",
  {
    id: col.id(),
    job: col.key(50),
    citizen_id: col.int(),
    citizen_grade: col.int(),
    author_id: col.int().orNull(),
    kind_id: col.int(),
    tone: col.key(8),
    points: col.int(),
    wants_ack: col.flag(),
    body: col.longText(),
    expires_on: col.key(10).orNull(),
    expires_at: col.int().orNull(),
    state: col.key(10),
    version: col.int(),
    created_at: col.int(),
    updated_at: col.int(),
    released_at: col.int().orNull(),
    over_at: col.int().orNull(),
    withdrawn_at: col.int().orNull(),
    withdrawn_by: col.int().orNull(),
    withdrawn_reason: col.text(500).orNull(),
    acknowledged_at: col.int().orNull(),
    replied_at: col.int().orNull(),
    reply: col.text(2000).orNull(),
    left_at: col.int().orNull(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      conduct_entries_job: ["job", "id"],
      conduct_entries_person: ["citizen_id", "job", "id"],
      conduct_entries_author: ["author_id", "job", "id"],
      conduct_entries_kind: ["kind_id"],
      conduct_entries_drafts: ["state", "updated_at"],
      conduct_entries_over: ["over_at"],
      conduct_entries_deleted: ["deleted_at"],
    },
  },
);

const conductKinds = defineTable(
  "conduct_kinds",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(48),
    name_key: col.key(200),
    deleted_marker: col.int(),
    colour: col.key(7),
    tone: col.key(8),
    points: col.int(),
    expires_after: col.int().orNull(),
    acknowledge: col.flag(),
    position: col.int(),
    version: col.int(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { conduct_kinds_name: ["job", "name_key", "deleted_marker"] },
    indexes: { conduct_kinds_deleted: ["deleted_at"] },
  },
);
const conductRules = defineTable(
  "conduct_rules",
  { job: col.key(50), thresholds: col.longText(), version: col.int(), updated_at: col.int() },
  { primary: ["job"] },
);

export default migration(async (steps) => {
  for (const table of [conductEntries, conductKinds, conductRules]) await steps.createTable(table);
});
