import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** A signed-in browser. `id` is a hash of the cookie's secret: with a dump of this table nobody can sign in. */
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
    /** The session sees the application as this grade of the job does, until `see_until`. */
    see_job: col.key(50).orNull(),
    see_grade: col.int().orNull(),
    see_until: col.int().orNull(),
    /** `password`, `oauth:<provider>`, `registration`, `reset`, `setup`; null in sessions of earlier versions. */
    opened_by: col.key(100).orNull(),
    /** When this session showed a code of the account's present second factor; null when it showed none. */
    factor_at: col.int().orNull(),
    /** Fingerprint of `secret`, `jwt.secret` and `cookieSecret` under which it may be used; null until a session of an earlier version is used. */
    secrets: col.key(32).orNull(),
    /** `session_epoch` of the account when the sign-in checked it; the session is refused while the account has another one. */
    account_epoch: col.int().defaultsTo(0),
  },
  {
    primary: ["id"],
    indexes: { auth_sessions_account: ["account_id"], auth_sessions_expiry: ["expires_at"] },
  },
);

/** Counters of failed sign-ins, by network, account or both (`docs/sign-in.md`). */
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

/** Addresses from which an account signed in before: an attacker cannot lock the owner out there. */
export const authAddresses = defineTable(
  "auth_addresses",
  { account_id: col.int(), address: col.key(64), last_at: col.int() },
  { primary: ["account_id", "address"], indexes: { auth_addresses_last: ["last_at"] } },
);

/** Browsers with which an account signed in before, by a hash of their user agent. */
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
    /** Null until a first code was right: before that no sign-in asks for one. */
    confirmed_at: col.int().orNull(),
    /** Step of the code that was accepted last: no code is accepted twice. */
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
