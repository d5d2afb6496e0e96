import { Type } from "typebox";
import { defineRetention, defineSchedule } from "#core/contract/index.ts";
import type { ScheduleHandler } from "#core/feature.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import type { PayRulesService } from "./timeclock.payrules.service.ts";
import { daysKeptMs, entriesKeptMs } from "./timeclock.contract.ts";

export const purgeTimeclock = defineRetention({
  id: "timeclock.purge",
  cron: "52 4 * * *",
  jitterMs: 600_000,
  steps: {
    entries: { tables: ["timeclock_entries"], kept: { ms: entriesKeptMs } },
    corrections: { tables: ["timeclock_corrections"], kept: { ms: entriesKeptMs } },
    days: { tables: ["timeclock_days"], kept: { ms: daysKeptMs } },
    periods: { tables: ["timeclock_periods", "timeclock_sums", "timeclock_later"], kept: { ms: daysKeptMs } },
  },
});

export function timeclockRetention(
  remove: Readonly<Record<"entries" | "corrections" | "days" | "periods", RemoveOld>>,
): RetentionHandler {
  return bindRetention(purgeTimeclock, remove);
}

/** Pay periods begin and end at midnight. */
export const followPeriods = defineSchedule({
  id: "timeclock.followPeriods",
  payload: Type.Object({}),
  cron: "1 * * * *",
  jitterMs: 20_000,
});

export function timeclockSchedules(rules: PayRulesService): ScheduleHandler[] {
  return [{ schedule: followPeriods, run: async () => await rules.goOn() }];
}
