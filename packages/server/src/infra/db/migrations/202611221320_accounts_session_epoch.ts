import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("accounts", "session_epoch", col.int().defaultsTo(0));
  await steps.addColumn("auth_sessions", "account_epoch", col.int().defaultsTo(0));
});
