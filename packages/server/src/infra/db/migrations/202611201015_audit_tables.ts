import { col, defineTable, migration } from "./kit.ts";

const auditEntries = defineTable(
  "audit_entries",
  {
    id: col.id(),
    at: col.int(),
    actor_kind: col.key(16),
    actor_name: col.text(100),
    account_id: col.int().orNull(),
    character_id: col.int().orNull(),
    job: col.key(50).orNull(),
    admin_reason: col.text(255).orNull(),
    address: col.key(64).orNull(),
    trace_id: col.key(64).orNull(),
    action: col.key(100),
    result: col.key(16),
    object_kind: col.key(50).orNull(),
    object_id: col.key(64).orNull(),
    data: col.longText().orNull(),
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

export default migration(async (steps) => {
  await steps.createTable(auditEntries);
});
