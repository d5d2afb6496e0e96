import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("jobs", "deleted_at", col.int().orNull());
});
