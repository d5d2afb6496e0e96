import { Type } from "typebox";
import { days, defineRetention, defineSchedule } from "#core/contract/index.ts";
import type { ScheduleHandler } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { SettingPath } from "#features/settings/settings.contract.ts";
import type { PayRulesService } from "./timeclock.payrules.service.ts";
import { daysKeptMs } from "./timeclock.contract.ts";

const keptSetting: SettingPath = "jobs.timeclockDays";

export const purgeTimeclock = defineRetention({
  id: "timeclock.purge",
  cron: "52 4 * * *",
  jitterMs: 600_000,
  steps: {
    entries: { tables: ["timeclock_entries"], kept: { setting: keptSetting } },
    corrections: { tables: ["timeclock_corrections"], kept: { setting: keptSetting } },
    days: { tables: ["timeclock_days"], kept: { ms: daysKeptMs } },
    months: { tables: ["timeclock_months"], kept: { ms: daysKeptMs } },
    years: { tables: ["timeclock_years"], kept: { ms: daysKeptMs } },
    periods: { tables: ["timeclock_periods", "timeclock_sums", "timeclock_later"], kept: { ms: daysKeptMs } },
  },
});

export function timeclockRetention(
  remove: Readonly<Record<"entries" | "corrections" | "days" | "months" | "years" | "periods", RemoveOld>>,
  settings: Pick<SettingsApi, "read">,
): RetentionHandler {
  const keptMs = async (tx: Tx) => days((await settings.read(tx)).jobs.timeclockDays);
  return bindRetention(purgeTimeclock, {
    ...remove,
    entries: { remove: remove.entries, keptMs },
    corrections: { remove: remove.corrections, keptMs },
  });
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
