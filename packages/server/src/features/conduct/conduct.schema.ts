import { col, defineTable, type TableOf } from "#core/db/index.ts";

export const conductEntries = defineTable(
  "conduct_entries",
  {
    id: col.id(),
    job: col.key(50),
    /** Whom it is about. */
    citizen_id: col.int(),
    /** Of the person when it was last written. */
    citizen_grade: col.int(),
    /** Null once the author was removed for good. */
    author_id: col.int().orNull(),
    kind_id: col.int(),
    /** As the kind had it at the release. */
    tone: col.key(8),
    points: col.int(),
    wants_ack: col.flag(),
    body: col.longText(),
    expires_on: col.key(10).orNull(),
    /** The first instant of that day. */
    expires_at: col.int().orNull(),
    state: col.key(10),
    version: col.int(),
    created_at: col.int(),
    updated_at: col.int(),
    released_at: col.int().orNull(),
    /** From when on it is of no use any more but kept: its expiry, its withdrawal, or its release. */
    over_at: col.int().orNull(),
    withdrawn_at: col.int().orNull(),
    withdrawn_by: col.int().orNull(),
    withdrawn_reason: col.text(500).orNull(),
    acknowledged_at: col.int().orNull(),
    replied_at: col.int().orNull(),
    reply: col.text(2000).orNull(),
    /** When the person left the job; null again when they come back in time. */
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

export const conductKinds = defineTable(
  "conduct_kinds",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(48),
    /** Without accents and case. */
    name_key: col.key(200),
    /** 0 while it is not deleted, then its id: a name is free again. */
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

/** One row a job that has written something; it is what all who write in its register lock first. */
export const conductRules = defineTable(
  "conduct_rules",
  { job: col.key(50), thresholds: col.longText(), version: col.int(), updated_at: col.int() },
  { primary: ["job"] },
);

export interface ConductTables {
  conduct_entries: TableOf<typeof conductEntries>;
  conduct_kinds: TableOf<typeof conductKinds>;
  conduct_rules: TableOf<typeof conductRules>;
}
