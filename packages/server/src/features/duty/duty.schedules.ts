import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { dutyKeptMs } from "./duty.contract.ts";

export const purgeDuty = defineRetention({
  id: "duty.purge",
  cron: "51 3 * * *",
  jitterMs: 10 * 60_000,
  steps: {
    reports: { tables: ["duty_reports"], kept: { ms: days(30) } },
    periods: { tables: ["duty_periods"], kept: { ms: dutyKeptMs } },
    silences: { tables: ["duty_silences"], kept: { ms: dutyKeptMs } },
    sources: { tables: ["duty_sources"], kept: { ms: days(30) } },
    mismatches: { tables: ["duty_mismatches"], kept: { ms: days(1) } },
  },
});

export function dutyRetention(
  remove: Record<"reports" | "periods" | "silences" | "sources" | "mismatches", RemoveOld>,
): RetentionHandler {
  return bindRetention(purgeDuty, remove);
}
