import { migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addIndex("auth_addresses", "auth_addresses_last", ["last_at"]);
  await steps.addIndex("auth_agents", "auth_agents_last", ["last_at"]);
});
