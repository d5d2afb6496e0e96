import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("audit_entries", "object_name", col.text(110).orNull());
});
