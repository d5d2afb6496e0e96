import { col, defineTable, migration } from "./kit.ts";

const accounts = defineTable(
  "accounts",
  {
    id: col.id(),
    licence: col.key(64),
    username: col.text(64).orNull(),
    username_key: col.key(64).orNull(),
    password_hash: col.key(255).orNull(),
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

export default migration(async (steps) => {
  await steps.createTable(accounts);
});
