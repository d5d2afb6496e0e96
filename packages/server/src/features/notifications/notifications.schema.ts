import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** What happened that a person should know; words come from the kind's texts with these params. */
export const notifications = defineTable(
  "notifications",
  {
    id: col.id(),
    account_id: col.int(),
    /** Null concerns the account, whichever character is chosen. */
    character_id: col.int().orNull(),
    kind: col.key(100),
    /** JSON object of the params. */
    params: col.longText(),
    /** A path of the application. */
    link: col.text(255).orNull(),
    at: col.int(),
    read_at: col.int().orNull(),
  },
  { primary: ["id"], indexes: { notifications_account: ["account_id", "id"], notifications_at: ["at"] } },
);

export interface NotificationTables {
  notifications: TableOf<typeof notifications>;
}
