import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import { pruneToasts } from "./ingame.repo.ts";

export const purgeIngame = defineRetention({
  id: "ingame.purge",
  cron: "53 3 * * *",
  jitterMs: 10 * 60_000,
  steps: { toasts: { tables: ["ingame_toasts"], kept: { ms: days(1) } } },
});

export function ingameRetention(): RetentionHandler {
  return bindRetention(purgeIngame, { toasts: pruneToasts });
}
