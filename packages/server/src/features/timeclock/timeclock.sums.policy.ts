import { addDays } from "#core/zone.ts";
import type { DayPart, Range } from "./timeclock.policy.ts";

/** Days of one month. */
export interface MonthPart {
  /** `YYYY-MM` */
  readonly month: string;
  /** Of the month, both included. */
  readonly from: number;
  readonly to: number;
}

/** Whole months of one year. */
export interface YearPart {
  readonly year: string;
  /** From 1. */
  readonly months: readonly number[];
}

/** Where the hours of a range are read: whole months from rows of years, what is left from rows of months. */
export interface SumsPlan {
  readonly years: readonly YearPart[];
  readonly months: readonly MonthPart[];
}

export const monthOf = (day: string): string => day.slice(0, 7);

/** Number of the last day of a month. */
export function lengthOfMonth(month: string): number {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).getUTCDate();
}

/** A range, month by month. */
export function monthParts({ firstDay, lastDay }: Range): MonthPart[] {
  const parts: MonthPart[] = [];
  for (let day = firstDay; day <= lastDay;) {
    const month = monthOf(day);
    const length = lengthOfMonth(month);
    const to = monthOf(lastDay) === month ? Number(lastDay.slice(8)) : length;
    parts.push({ month, from: Number(day.slice(8)), to });
    day = addDays(`${month}-01`, length);
  }
  return parts;
}

export function planOf(range: Range): SumsPlan {
  const isWhole = ({ month, from, to }: MonthPart) => from === 1 && to === lengthOfMonth(month);
  const parts = monthParts(range);
  const byYear = Map.groupBy(parts.filter(isWhole), ({ month }) => month.slice(0, 4));
  return {
    years: [...byYear].map(([year, own]) => ({ year, months: own.map(({ month }) => Number(month.slice(5))) })),
    months: parts.filter((part) => !isWhole(part)),
  };
}

/** The same sums from fewer rows: a range that reaches the last day with hours ends with its month, of which nothing else counts. */
export function toEndOfMonth({ firstDay, lastDay }: Range, lastWithHours: string | null): Range {
  const month = monthOf(lastDay);
  const ends = lastWithHours === null || lastWithHours <= lastDay;
  return { firstDay, lastDay: ends ? `${month}-${lengthOfMonth(month)}` : lastDay };
}

/** The columns of a row of a month that a part of it covers. */
export const dayColumnsOf = ({ from, to }: MonthPart): string[] =>
  Array.from({ length: to - from + 1 }, (_none, i) => `d${from + i}`);

export const monthColumnsOf = ({ months }: YearPart): string[] => months.map((month) => `m${month}`);

/** No day that counts in a month, or in a year, is later. UTC, in milliseconds; the zone of the days is at most some hours off. */
export const endOfMonth = (month: string): number => Date.parse(`${addDays(`${month}-01`, lengthOfMonth(month))}T00:00:00Z`);
export const endOfYear = (year: string): number => endOfMonth(`${year}-12`);

/** What is added to the day of a person in a job; negative for what is taken away. */
export interface DayChange extends DayPart {
  readonly citizenId: number;
  readonly job: string;
}
