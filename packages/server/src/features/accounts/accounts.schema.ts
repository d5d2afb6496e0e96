import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** A login, tied to one game licence. Without user name and password it cannot sign in. */
export const accounts = defineTable(
  "accounts",
  {
    id: col.id(),
    /** Without the `license:` prefix. */
    licence: col.key(64),
    username: col.text(64).orNull(),
    /** Lower case, so that names differ by more than case. */
    username_key: col.key(64).orNull(),
    password_hash: col.key(255).orNull(),
    /** JSON list of staff groups, case kept. */
    staff_groups: col.longText(),
    enabled: col.flag().defaultsTo(1),
    last_character_id: col.int().orNull(),
    version: col.int().defaultsTo(1),
    created_at: col.int(),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),
  },
  { primary: ["id"], unique: { accounts_licence: ["licence"], accounts_username: ["username_key"] } },
);

export interface AccountTables {
  accounts: TableOf<typeof accounts>;
}
