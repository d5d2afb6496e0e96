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
  },
});

export function dutyRetention(remove: { readonly reports: RemoveOld; readonly periods: RemoveOld }): RetentionHandler {
  return bindRetention(purgeDuty, remove);
}
