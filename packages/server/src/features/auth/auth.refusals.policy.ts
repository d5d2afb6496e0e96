import { addDays, type WallTime } from "#core/zone.ts";
import type { AuditCounts } from "#features/audit/audit.api.ts";

/** The last `count` calendar days up to `last`, in order. */
export function daysUpTo(last: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => addDays(last, index - count + 1));
}

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
    hours[wall.weekday]![wall.hour]! += count;
  }
  return { days: [...byDay].map(([day, ofDay]) => ({ day, counts: ofDay })), hours };
}
