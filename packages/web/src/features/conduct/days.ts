import { transport } from "#core/services.ts";

const DAY = 86_400_000;

/** The day of the viewer so many days from now. */
export function dayIn(count: number): string {
  const now = new Date(transport.serverNow());
  // Counted in calendar days: a day of a changed clock has 23 or 25 hours.
  const noon = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate(), 12) + count * DAY;
  return new Date(noon).toISOString().slice(0, 10);
}
