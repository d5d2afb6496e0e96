import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** One person at a provider, connected to one account. */
export const oauthConnections = defineTable(
  "oauth_connections",
  {
    id: col.id(),
    account_id: col.int(),
    /** `name` of the provider in config.yaml. */
    provider: col.key(64),
    /** The person's id there, as text. */
    external_id: col.key(255),
    username: col.text(255).orNull(),
    avatar_url: col.longText().orNull(),
    scopes: col.longText(),
    /** Sealed by the vault. */
    access_token: col.longText().orNull(),
    refresh_token: col.longText().orNull(),
    token_expires_at: col.int().orNull(),
    created_at: col.int(),
    updated_at: col.int(),
    /** JSON type of the id, `text` or `number`; null in connections of earlier versions that did not sign in since. */
    external_kind: col.key(8).orNull(),
  },
  {
    primary: ["id"],
    unique: {
      oauth_connections_person: ["provider", "external_id"],
      oauth_connections_account: ["account_id", "provider"],
    },
  },
);

/** A browser that was sent to a provider. Its secrets are in its encrypted cookie; this table has a hash of the state. */
export const oauthAttempts = defineTable(
  "oauth_attempts",
  {
    id: col.key(64),
    provider: col.key(64),
    /** The account that connects; null signs in. */
    account_id: col.int().orNull(),
    return_path: col.text(1000),
    created_at: col.int(),
    expires_at: col.int(),
    used_at: col.int().orNull(),
    /** The session that connects; the answer is accepted in this one only. */
    session_id: col.key(64).orNull(),
  },
  { primary: ["id"], indexes: { oauth_attempts_expiry: ["expires_at"] } },
);

export interface OauthTables {
  oauth_connections: TableOf<typeof oauthConnections>;
  oauth_attempts: TableOf<typeof oauthAttempts>;
}
