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
  },
  {
    primary: ["id"],
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
  { primary: ["account_id", "kind", "channel"] },
);

export interface NotificationTables {
  notifications: TableOf<typeof notifications>;
  notifications_preferences: TableOf<typeof notificationsPreferences>;
}
