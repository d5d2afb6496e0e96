import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("auth_sessions", "secrets", col.key(32).orNull());
});
