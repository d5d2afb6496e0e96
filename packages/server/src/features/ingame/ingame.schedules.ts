import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";

export const purgeIngame = defineRetention({
  id: "ingame.purge",
  cron: "53 3 * * *",
  jitterMs: 10 * 60_000,
  steps: { toasts: { tables: ["ingame_toasts"], kept: { ms: days(1) } } },
});

export function ingameRetention(toasts: RemoveOld): RetentionHandler {
  return bindRetention(purgeIngame, { toasts });
}
