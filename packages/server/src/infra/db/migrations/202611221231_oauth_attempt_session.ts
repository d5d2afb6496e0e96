import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("oauth_attempts", "session_id", col.key(64).orNull());
});
