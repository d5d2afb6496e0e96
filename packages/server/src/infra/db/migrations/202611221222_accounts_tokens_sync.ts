import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("accounts_tokens", "sync_token", col.key(32).orNull());
});
