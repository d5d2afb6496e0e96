import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { AuthService } from "./auth.service.ts";

/**
 * Sessions and counters that have no effect any more. The addresses and browsers of an account are kept
 * for a year after it last signed in with them.
 */
export const cleanUpSessions = defineRetention({
  id: "auth.cleanUp",
  cron: "17 4 * * *",
  jitterMs: 600_000,
  steps: {
    sessions: { tables: ["auth_sessions"], kept: { ms: days(1) } },
    failures: { tables: ["auth_failures"], kept: { ms: days(1) } },
    addresses: { tables: ["auth_addresses"], kept: { ms: days(365) } },
    agents: { tables: ["auth_agents"], kept: { ms: days(365) } },
  },
});

export function authRetention(service: AuthService): RetentionHandler {
  return bindRetention(cleanUpSessions, service.prune);
}
