import { today } from "#core/today.ts";

const DAY = 86_400_000;

/** The day so many days from today, as the community counts days. */
export function dayIn(count: number): string {
  // Counted in calendar days: a day of a changed clock has 23 or 25 hours.
  return new Date(Date.parse(`${today()}T12:00:00Z`) + count * DAY).toISOString().slice(0, 10);
}
