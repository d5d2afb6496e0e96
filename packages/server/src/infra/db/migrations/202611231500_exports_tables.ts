import { col, defineTable, migration } from "./kit.ts";

const exportsTable = defineTable(
  "exports",
  {
    id: col.id(),
    account_id: col.int(),
    session_id: col.key(100),
    character_id: col.int().orNull(),
    address: col.key(64),
    kind: col.key(100),
    filter: col.longText(),
    scope: col.key(255),
    language: col.key(16),
    slot: col.int().orNull(),
    task_id: col.key(26),
    state: col.key(16),
    error: col.key(100).orNull(),
    error_params: col.longText().orNull(),
    rows: col.int(),
    bytes: col.int(),
    object_key: col.key(255).orNull(),
    created_at: col.int(),
    finished_at: col.int().orNull(),
    kept_since: col.int(),
  },
  {
    primary: ["id"],
    unique: { exports_slot: ["account_id", "slot"] },
    indexes: { exports_account: ["account_id", "id"], exports_kept_since: ["kept_since"] },
  },
);

export default migration(async (steps) => {
  await steps.createTable(exportsTable);
});
