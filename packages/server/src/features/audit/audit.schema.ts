import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Who did what to what, kept `audit.retentionDays`. */
export const auditEntries = defineTable(
  "audit_entries",
  {
    id: col.id(),
    at: col.int(),
    actor_kind: col.key(16),
    /** User name, token fingerprint, operating-system user or job. */
    actor_name: col.text(100),
    account_id: col.int().orNull(),
    character_id: col.int().orNull(),
    job: col.key(50).orNull(),
    /** The reason given when job admin was on. */
    admin_reason: col.text(255).orNull(),
    address: col.key(64).orNull(),
    trace_id: col.key(64).orNull(),
    action: col.key(100),
    result: col.key(16),
    object_kind: col.key(50).orNull(),
    object_id: col.key(64).orNull(),
    /** JSON `{v, before?, after?, info?}` without secrets. */
    data: col.longText().orNull(),
    /** How many identical entries this row stands for. */
    folded: col.int().defaultsTo(1),
  },
  {
    primary: ["id"],
    indexes: {
      audit_entries_at: ["at"],
      audit_entries_account: ["account_id", "at"],
      audit_entries_object: ["object_kind", "object_id", "at"],
    },
  },
);

export interface AuditTables {
  audit_entries: TableOf<typeof auditEntries>;
}
