import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("licences", "sync_hash", col.key(32).defaultsTo(""));
  await steps.addColumn("licences", "deleted_at", col.int().orNull());
});
