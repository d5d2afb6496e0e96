import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { accountsOrders } from "./accounts.contract.ts";

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
    /** JSON list of staff groups, case preserved. */
    staff_groups: col.longText(),
    enabled: col.flag().defaultsTo(1),
    last_character_id: col.int().orNull(),
    version: col.int().defaultsTo(1),
    created_at: col.int(),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),
    /** The game's identifier of the character that the game server reported last. */
    game_character: col.key(64).orNull(),
    disabled_reason: col.text(255).orNull(),
    deleted_by: col.text(100).orNull(),
    deleted_reason: col.text(255).orNull(),
    /** JSON list: the staff groups that count for admin powers while a confirmation is required. */
    confirmed_groups: col.longText().orNull(),
    /** `config` or `job`: the admin powers that the last check of the account found. */
    admin_power: col.key(10).orNull(),
    /** The powers that its groups would add once they are confirmed. */
    admin_waiting: col.key(10).orNull(),
    /** When it last gained admin powers, and from whom; kept when they are lost. */
    admin_at: col.int().orNull(),
    admin_by: col.text(100).orNull(),
    /** Raised by what ends all sessions: those of an earlier epoch are refused. */
    session_epoch: col.int().defaultsTo(0),
    /** When one of its sessions was last used, to a minute: sessions themselves are removed. */
    last_seen_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { accounts_licence: ["licence"], accounts_username: ["username_key"] },
    indexes: {
      accounts_deleted: ["deleted_at", "id"],
      accounts_character: ["last_character_id"],
      accounts_admin_at: ["admin_at", "id"],
      accounts_admin_waiting: ["admin_waiting", "id"],
      accounts_names: ["deleted_at", "username_key", "id"],
      accounts_seen: ["deleted_at", "last_seen_at", "id"],
    },
  },
);

/** Ids are given out in the order in which accounts are created. */
export const accountsList = defineOrderedList(accounts, accountsOrders, {
  live: "deleted_at",
  by: { username: "username_key", lastSeenAt: "last_seen_at", createdAt: "id" },
});

/** Tokens for registration and password reset, by a hash of what the user types. */
export const accountsTokens = defineTable(
  "accounts_tokens",
  {
    id: col.id(),
    token_hash: col.key(64),
    /** `register` or `reset`. */
    kind: col.key(10),
    account_id: col.int(),
    created_by: col.text(100),
    created_at: col.int(),
    expires_at: col.int(),
    used_at: col.int().orNull(),
    /** Fingerprint of the sync token that requested it, keyed with `cookieSecret`; null when none did. */
    sync_token: col.key(32).orNull(),
  },
  {
    primary: ["id"],
    unique: { accounts_tokens_hash: ["token_hash"] },
    indexes: { accounts_tokens_account: ["account_id", "kind"], accounts_tokens_expiry: ["expires_at"] },
  },
);

export interface AccountTables {
  accounts: TableOf<typeof accounts>;
  accounts_tokens: TableOf<typeof accountsTokens>;
}
