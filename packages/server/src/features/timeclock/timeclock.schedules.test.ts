import { expect, it } from "vitest";
import { days } from "#core/contract/index.ts";
import { defaultSettings } from "#features/settings/settings.contract.ts";
import { timeclockRetention } from "./timeclock.schedules.ts";

it.each([30, 365, 1095])("entries and corrections are kept for %i days by the setting, sums for five years", async (kept) => {
  const remove = async () => 0;
  const jobs = { ...defaultSettings.jobs, timeclockDays: kept };
  const settings = { read: async () => ({ ...defaultSettings, jobs }) };
  const all = { entries: remove, corrections: remove, days: remove, months: remove, years: remove, periods: remove };
  const { steps } = timeclockRetention(all, settings);
  const kinds = await Promise.all(steps.map(async ({ kind, keptMs }) => [kind, await keptMs({} as never)]));
  expect(Object.fromEntries(kinds)).toEqual({
    ...{ entries: days(kept), corrections: days(kept) },
    ...{ days: days(5 * 365), months: days(5 * 365), years: days(5 * 365), periods: days(5 * 365) },
  });
});
