/** Ranges of days as the page offers them. */
export const spans = ["day", "week", "month", "free"] as const;
export type Span = (typeof spans)[number];

/** Days `YYYY-MM-DD`, both included. */
export interface Range {
  readonly firstDay: string;
  readonly lastDay: string;
}

const instantOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayOf = (instant: number) => new Date(instant).toISOString().slice(0, 10);

export const dayAfter = (day: string, count: number): string => dayOf(instantOf(day) + count * 86_400_000);

/** The day, the ISO week or the month of a day, or the days until another one. */
export function rangeOf(span: Span, day: string, until: string | undefined): Range {
  if (span === "day") return { firstDay: day, lastDay: day };
  if (span === "week") {
    const monday = dayAfter(day, -((new Date(instantOf(day)).getUTCDay() + 6) % 7));
    return { firstDay: monday, lastDay: dayAfter(monday, 6) };
  }
  if (span === "month") return { firstDay: `${day.slice(0, 7)}-01`, lastDay: dayAfter(monthAfter(day, 1), -1) };
  return { firstDay: day, lastDay: until !== undefined && until >= day ? until : day };
}

/** The first day of the month so many months later. */
function monthAfter(day: string, count: number): string {
  const [year = 0, month = 1] = day.split("-").map(Number);
  return dayOf(Date.UTC(year, month - 1 + count, 1));
}

/** The day of the next range of this kind, or of the one before. */
export function stepped(span: Span, { firstDay, lastDay }: Range, direction: 1 | -1): string {
  if (span === "month") return monthAfter(firstDay, direction);
  return direction === 1 ? dayAfter(lastDay, 1) : dayAfter(firstDay, -daysIn({ firstDay, lastDay }).length);
}

export function daysIn({ firstDay, lastDay }: Range): string[] {
  const length = Math.round((instantOf(lastDay) - instantOf(firstDay)) / 86_400_000) + 1;
  return Array.from({ length }, (_none, i) => dayAfter(firstDay, i));
}

/** Number of the ISO week of its Monday. */
export function weekOf(monday: string): number {
  const thursday = new Date(instantOf(dayAfter(monday, 3)));
  const start = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  return Math.floor((thursday.getTime() - start) / (7 * 86_400_000)) + 1;
}

export interface Block {
  /** Percent of the day. */
  readonly left: number;
  readonly width: number;
}

/** Where an interval lies on a day, which may have 23 or 25 hours. */
export function blockOf(
  entry: { readonly from: number; readonly to: number },
  day: { readonly from: number; readonly until: number },
): Block {
  const length = day.until - day.from;
  const [from, to] = [Math.max(entry.from, day.from), Math.min(entry.to, day.until)];
  return { left: ((from - day.from) / length) * 100, width: (Math.max(0, to - from) / length) * 100 };
}

/** `YYYY-MM-DDTHH:mm:ss` as the clock shows it in a zone. */
export function localTime(instant: number, zone: string): string {
  const options = {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  } as const;
  const parts = new Intl.DateTimeFormat("en-CA", { timeZone: zone, hourCycle: "h23", ...options }).formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}:${part("second")}`;
}

/** "7:05" for seven hours and five minutes. */
export function hoursAndMinutes(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`;
}
