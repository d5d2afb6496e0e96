import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { OauthService } from "./oauth.service.ts";

/** Attempts that expired, finished or not. */
export const cleanUpAttempts = defineRetention({
  id: "oauth.cleanUp",
  cron: "41 * * * *",
  jitterMs: 120_000,
  steps: { attempts: { tables: ["oauth_attempts"], kept: { ms: days(1) } } },
});

export function oauthRetention(service: OauthService): RetentionHandler {
  return bindRetention(cleanUpAttempts, { attempts: service.pruneAttempts });
}
