import { addDays } from "#core/zone.ts";
import type { PeriodLength } from "./timeclock.contract.ts";
import type { Range } from "./timeclock.policy.ts";

/** Monday is 0. */
const weekdayOf = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;

const monthEnd = (day: string): string => addDays(`${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`, -1);

/** The first day of the period that a job begins with. */
export const beginningOf = (length: PeriodLength, day: string): string =>
  length === "month" ? `${day.slice(0, 7)}-01` : addDays(day, -weekdayOf(day));

/** The period from a day on. Where that is in the middle, after another length, it ends where the others do. */
export function periodFrom(length: PeriodLength, firstDay: string): Range {
  const weeks = { week: 6, twoWeeks: 13 } as const;
  const lastDay = length === "month" ? monthEnd(firstDay) : addDays(firstDay, weeks[length] - weekdayOf(firstDay));
  return { firstDay, lastDay };
}

/** More than that is never missing: a schedule adds them as time goes on. */
const mostMissing = 100;

/** Periods from a day until today, the present one among them. */
export function periodsUntil(length: PeriodLength, firstDay: string, today: string): Range[] {
  const periods: Range[] = [];
  for (let day = firstDay; day <= today && periods.length < mostMissing;) {
    const period = periodFrom(length, day);
    periods.push(period);
    day = addDays(period.lastDay, 1);
  }
  return periods;
}

/** Whether what is counted for a person no longer changes the sums of a period: they are frozen in the order of ids. */
export const isFrozen = (
  { state, after_id: after }: { readonly state: string; readonly after_id: number },
  citizenId: number,
): boolean => state === "closed" || (state === "closing" && citizenId <= after);
