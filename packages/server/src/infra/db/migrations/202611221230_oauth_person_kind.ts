import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("oauth_connections", "external_kind", col.key(8).orNull());
});
