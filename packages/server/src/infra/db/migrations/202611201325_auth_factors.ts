import { col, defineTable, migration } from "./kit.ts";

const authFactors = defineTable(
  "auth_factors",
  {
    account_id: col.int(),
    secret: col.longText(),
    created_at: col.int(),
    confirmed_at: col.int().orNull(),
    last_step: col.int().defaultsTo(0),
  },
  { primary: ["account_id"] },
);

const authRecoveryCodes = defineTable(
  "auth_recovery_codes",
  { account_id: col.int(), code_hash: col.key(64), used_at: col.int().orNull() },
  { primary: ["account_id", "code_hash"] },
);

const authAgents = defineTable(
  "auth_agents",
  { account_id: col.int(), agent_hash: col.key(64), last_at: col.int() },
  { primary: ["account_id", "agent_hash"] },
);

export default migration(async (steps) => {
  await steps.createTable(authFactors);
  await steps.createTable(authRecoveryCodes);
  await steps.createTable(authAgents);
});
