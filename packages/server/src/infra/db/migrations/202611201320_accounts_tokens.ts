import { col, defineTable, migration } from "./kit.ts";

const accountsTokens = defineTable(
  "accounts_tokens",
  {
    id: col.id(),
    token_hash: col.key(64),
    kind: col.key(10),
    account_id: col.int(),
    created_by: col.text(100),
    created_at: col.int(),
    expires_at: col.int(),
    used_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { accounts_tokens_hash: ["token_hash"] },
    indexes: { accounts_tokens_account: ["account_id", "kind"], accounts_tokens_expiry: ["expires_at"] },
  },
);

export default migration(async (steps) => {
  await steps.createTable(accountsTokens);
  await steps.addColumn("accounts", "game_character", col.key(64).orNull());
  await steps.addColumn("accounts", "disabled_reason", col.text(255).orNull());
  await steps.addColumn("accounts", "deleted_by", col.text(100).orNull());
  await steps.addColumn("accounts", "deleted_reason", col.text(255).orNull());
  await steps.addIndex("accounts", "accounts_deleted", ["deleted_at", "id"]);
  await steps.addIndex("accounts", "accounts_character", ["last_character_id"]);
});
