import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { panicKeptMs } from "./panic.contract.ts";

export const purgePanics = defineRetention({
  id: "panic.purge",
  cron: "41 4 * * *",
  jitterMs: 600_000,
  steps: { ended: { tables: ["panic", "panic_alarms"], kept: { ms: panicKeptMs } } },
});

export function panicRetention(ended: RemoveOld): RetentionHandler {
  return bindRetention(purgePanics, { ended });
}
