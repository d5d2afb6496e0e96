import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("notifications", "batch", col.key(26).orNull());
  await steps.addColumn("notifications", "replace_key", col.key(100).orNull());
  await steps.addColumn("notifications", "replace_character", col.int().defaultsTo(0));
  await steps.addColumn("notifications", "count", col.int().defaultsTo(1));
  await steps.addColumn("notifications", "since", col.int().orNull());
  await steps.addIndex("notifications", "notifications_replace", ["kind", "replace_key", "account_id", "replace_character"], {
    unique: true,
  });
  await steps.addIndex("notifications_preferences", "notifications_preferences_kind", ["kind", "account_id"]);
});
