import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Notifications of accounts. The text of the kind is filled with the params. */
export const notifications = defineTable(
  "notifications",
  {
    id: col.id(),
    account_id: col.int(),
    /** Null when it concerns the account, with any character. */
    character_id: col.int().orNull(),
    kind: col.key(100),
    /** JSON object of the params. */
    params: col.longText(),
    /** A path of the application. */
    link: col.text(255).orNull(),
    at: col.int(),
    read_at: col.int().orNull(),
    /** What was stored together has one batch, by which its ids are read; the index on `at` leads to it. */
    batch: col.key(26).orNull(),
    /** A newer one of the same account, character, kind and key takes its place; null when none does, or it was read. */
    replace_key: col.key(100).orNull(),
    /** The character once more, 0 for the account: two nulls would never be the same key. */
    replace_character: col.int().defaultsTo(0),
    /** How many it stands for. */
    count: col.int().defaultsTo(1),
    /** When the first of those arrived; null unless the kind has a digest. */
    since: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { notifications_replace: ["kind", "replace_key", "account_id", "replace_character"] },
    indexes: {
      notifications_account: ["account_id", "id"],
      notifications_at: ["at"],
      notifications_unread: ["account_id", "read_at", "id"],
    },
  },
);

/** Choices for a kind and channel; without a row, the default of the kind. */
export const notificationsPreferences = defineTable(
  "notifications_preferences",
  { account_id: col.int(), kind: col.key(100), channel: col.key(16), chosen: col.flag() },
  {
    primary: ["account_id", "kind", "channel"],
    indexes: { notifications_preferences_kind: ["kind", "account_id"] },
  },
);

export interface NotificationTables {
  notifications: TableOf<typeof notifications>;
  notifications_preferences: TableOf<typeof notificationsPreferences>;
}
