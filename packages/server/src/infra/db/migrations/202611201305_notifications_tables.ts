import { col, defineTable, migration } from "./kit.ts";

const notifications = defineTable(
  "notifications",
  {
    id: col.id(),
    account_id: col.int(),
    character_id: col.int().orNull(),
    kind: col.key(100),
    params: col.longText(),
    link: col.text(255).orNull(),
    at: col.int(),
    read_at: col.int().orNull(),
  },
  { primary: ["id"], indexes: { notifications_account: ["account_id", "id"], notifications_at: ["at"] } },
);

export default migration(async (steps) => {
  await steps.createTable(notifications);
});
