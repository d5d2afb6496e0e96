import { col, defineTable, type TableOf } from "#core/db/index.ts";

export const exportsTable = defineTable(
  "exports",
  {
    id: col.id(),
    account_id: col.int(),
    /** The session that it was requested in: its rights are those of the export. */
    session_id: col.key(100),
    /** Null for a config admin without a character. */
    character_id: col.int().orNull(),
    address: col.key(64),
    kind: col.key(100),
    /** JSON `{v, filter}`. */
    filter: col.longText(),
    /** What the rows depend on besides the filter, as of the request. */
    scope: col.key(255),
    language: col.key(16),
    /** From 1 while it is open, null afterwards: no two open ones of an account have the same. */
    slot: col.int().orNull(),
    task_id: col.key(26),
    state: col.key(16),
    /** Code of the error that it failed with, and the params of its message as JSON. */
    error: col.key(100).orNull(),
    error_params: col.longText().orNull(),
    rows: col.int(),
    bytes: col.int(),
    /** The object that an attempt writes or has written. */
    object_key: col.key(255).orNull(),
    created_at: col.int(),
    finished_at: col.int().orNull(),
    /** The end, or the request while it is open; removed a day after it. */
    kept_since: col.int(),
  },
  {
    primary: ["id"],
    unique: { exports_slot: ["account_id", "slot"] },
    indexes: { exports_account: ["account_id", "id"], exports_kept_since: ["kept_since"] },
  },
);

export interface ExportTables {
  exports: TableOf<typeof exportsTable>;
}
