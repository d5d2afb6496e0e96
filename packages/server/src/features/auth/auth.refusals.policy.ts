import type { AuditCounts } from "#features/audit/audit.api.ts";

/** A day and an hour of a time zone. */
interface WallTime {
  /** `YYYY-MM-DD`. */
  readonly day: string;
  readonly hour: number;
}

/** Reads instants in a zone; throws `RangeError` for one that does not exist. */
export function wallTimeIn(zone: string): (instant: number) => WallTime {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    hourCycle: "h23",
  });
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return { day: `${parts["year"]}-${parts["month"]}-${parts["day"]}`, hour: Number(parts["hour"]) };
  };
}

const utcDay = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The last `count` calendar days up to `last`, in order. A day may have 23 or 25 hours, so they are counted as dates. */
export function daysUpTo(last: string, count: number): string[] {
  const end = new Date(utcDay(last));
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate() - count + 1 + index)).toISOString().slice(0, 10),
  );
}

/** 0 for Monday. */
const weekdayOf = (day: string) => (new Date(utcDay(day)).getUTCDay() + 6) % 7;

export interface RefusalTables {
  readonly days: { day: string; counts: number[] }[];
  readonly hours: number[][];
}

/** Adds up what was counted by quarters of an hour; what lies on another day is left out. */
export function tablesOf(
  counts: AuditCounts["counts"],
  days: readonly string[],
  reasons: readonly string[],
  wallTime: (instant: number) => WallTime,
): RefusalTables {
  const byDay = new Map(days.map((day) => [day, reasons.map(() => 0)]));
  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const read = new Map<number, WallTime>();
  for (const { at, why, count } of counts) {
    const wall = read.get(at) ?? wallTime(at);
    read.set(at, wall);
    const ofDay = byDay.get(wall.day);
    const reason = reasons.indexOf(why);
    if (!ofDay || reason < 0) continue;
    ofDay[reason]! += count;
    hours[weekdayOf(wall.day)]![wall.hour]! += count;
  }
  return { days: [...byDay].map(([day, ofDay]) => ({ day, counts: ofDay })), hours };
}
