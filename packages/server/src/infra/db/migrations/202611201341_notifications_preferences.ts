import { col, defineTable, migration } from "./kit.ts";

const preferences = defineTable(
  "notifications_preferences",
  { account_id: col.int(), kind: col.key(100), channel: col.key(16), chosen: col.flag() },
  { primary: ["account_id", "kind", "channel"] },
);

export default migration(async (steps) => {
  await steps.createTable(preferences);
  await steps.addIndex("notifications", "notifications_unread", ["account_id", "read_at", "id"]);
});
