import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("auth_sessions", "opened_by", col.key(100).orNull());
  await steps.addColumn("auth_sessions", "factor_at", col.int().orNull());
});
