import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("gamerequests_servers", "token", col.key(32).orNull());
  await steps.addColumn("gamerequests_servers", "previous_token", col.key(32).orNull());
});
