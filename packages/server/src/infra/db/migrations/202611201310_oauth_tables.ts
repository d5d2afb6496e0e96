import { col, defineTable, migration } from "./kit.ts";
const oauthConnections = defineTable(
  "oauth_connections",
  {
    id: col.id(),
    account_id: col.int(),
    provider: col.key(64),
    external_id: col.key(255),
    username: col.text(255).orNull(),
    avatar_url: col.longText().orNull(),
    scopes: col.longText(),
    access_token: col.longText().orNull(),
    refresh_token: col.longText().orNull(),
    token_expires_at: col.int().orNull(),
    created_at: col.int(),
    updated_at: col.int(),
  },
  {
    primary: ["id"],
    unique: {
      oauth_connections_person: ["provider", "external_id"],
      oauth_connections_account: ["account_id", "provider"],
    },
  },
);
const oauthAttempts = defineTable(
  "oauth_attempts",
  {
    id: col.key(64),
    provider: col.key(64),
    account_id: col.int().orNull(),
    return_path: col.text(1000),
    created_at: col.int(),
    expires_at: col.int(),
    used_at: col.int().orNull(),
  },
  { primary: ["id"], indexes: { oauth_attempts_expiry: ["expires_at"] } },
);

export default migration(async (steps) => {
  await steps.createTable(oauthConnections);
  await steps.createTable(oauthAttempts);
});
