import { col, defineTable, migration } from "./kit.ts";

const authSessions = defineTable(
  "auth_sessions",
  {
    id: col.key(64),
    account_id: col.int(),
    created_at: col.int(),
    last_seen_at: col.int(),
    expires_at: col.int(),
    ended_at: col.int().orNull(),
    address: col.key(64),
    user_agent: col.text(255),
    admin_job: col.key(50).orNull(),
    admin_reason: col.text(255).orNull(),
    admin_until: col.int().orNull(),
  },
  {
    primary: ["id"],
    indexes: { auth_sessions_account: ["account_id"], auth_sessions_expiry: ["expires_at"] },
  },
);

const authFailures = defineTable(
  "auth_failures",
  {
    subject: col.key(150),
    failures: col.int(),
    last_at: col.int(),
    blocked_until: col.int(),
  },
  { primary: ["subject"], indexes: { auth_failures_last: ["last_at"] } },
);

const authAddresses = defineTable(
  "auth_addresses",
  { account_id: col.int(), address: col.key(64), last_at: col.int() },
  { primary: ["account_id", "address"] },
);

export default migration(async (steps) => {
  await steps.createTable(authSessions);
  await steps.createTable(authFailures);
  await steps.createTable(authAddresses);
});
