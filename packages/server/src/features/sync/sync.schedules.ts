import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";

export const purgeSync = defineRetention({
  id: "sync.purge",
  cron: "23 * * * *",
  jitterMs: 60_000,
  steps: { idempotencyKeys: { tables: ["sync_idempotency_keys"], kept: { ms: days(1) } } },
});

export function syncRetention(pruneKeys: RemoveOld): RetentionHandler {
  return bindRetention(purgeSync, { idempotencyKeys: pruneKeys });
}
