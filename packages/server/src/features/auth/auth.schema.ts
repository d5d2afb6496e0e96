import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** A signed-in browser. `id` is a hash of what the cookie holds: a dump of this table opens nothing. */
export const authSessions = defineTable(
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
    /** Seen with the eyes of this grade, until then. */
    see_job: col.key(50).orNull(),
    see_grade: col.int().orNull(),
    see_until: col.int().orNull(),
  },
  {
    primary: ["id"],
    indexes: { auth_sessions_account: ["account_id"], auth_sessions_expiry: ["expires_at"] },
  },
);

/** Failed sign-ins by what they have in common: an address, or an address with an account. */
export const authFailures = defineTable(
  "auth_failures",
  {
    subject: col.key(150),
    failures: col.int(),
    last_at: col.int(),
    blocked_until: col.int(),
  },
  { primary: ["subject"], indexes: { auth_failures_last: ["last_at"] } },
);

/** Addresses from which an account signed in before: a guessing stranger cannot shut these out. */
export const authAddresses = defineTable(
  "auth_addresses",
  { account_id: col.int(), address: col.key(64), last_at: col.int() },
  { primary: ["account_id", "address"], indexes: { auth_addresses_last: ["last_at"] } },
);

/** Browsers with which an account signed in before, by a hash of what they call themselves. */
export const authAgents = defineTable(
  "auth_agents",
  { account_id: col.int(), agent_hash: col.key(64), last_at: col.int() },
  { primary: ["account_id", "agent_hash"], indexes: { auth_agents_last: ["last_at"] } },
);

/** A second factor: the seed of an app that shows codes, sealed. */
export const authFactors = defineTable(
  "auth_factors",
  {
    account_id: col.int(),
    secret: col.longText(),
    created_at: col.int(),
    /** Null until a first code: not asked for before. */
    confirmed_at: col.int().orNull(),
    /** Of the code accepted last: no code is accepted twice. */
    last_step: col.int().defaultsTo(0),
  },
  { primary: ["account_id"] },
);

export const authRecoveryCodes = defineTable(
  "auth_recovery_codes",
  { account_id: col.int(), code_hash: col.key(64), used_at: col.int().orNull() },
  { primary: ["account_id", "code_hash"] },
);

export interface AuthTables {
  auth_sessions: TableOf<typeof authSessions>;
  auth_failures: TableOf<typeof authFailures>;
  auth_addresses: TableOf<typeof authAddresses>;
  auth_agents: TableOf<typeof authAgents>;
  auth_factors: TableOf<typeof authFactors>;
  auth_recovery_codes: TableOf<typeof authRecoveryCodes>;
}
