import { isDay } from "#core/day.ts";
import { pickSearch } from "#core/search.ts";

/** The address of the citizens list: filters, and the row at the top of the screen. */
export interface CitizensSearch {
  readonly q?: string;
  readonly dateOfBirth?: string;
  readonly phone?: string;
  readonly plate?: string;
  readonly job?: string;
  /** Index of the first visible row. */
  readonly top?: string;
}

export type CitizensFilters = Omit<CitizensSearch, "top">;

/** Longest text of each, as the contract says. */
const LENGTHS = { q: 64, dateOfBirth: 10, phone: 20, plate: 32, job: 50, top: 6 } as const;

export function citizensSearch(search: Record<string, unknown>): CitizensSearch {
  const { dateOfBirth, top, ...rest } = pickSearch(search, LENGTHS);
  return {
    ...rest,
    ...(isDay(dateOfBirth) ? { dateOfBirth } : {}),
    ...(top !== undefined && /^[1-9]\d*$/.test(top) ? { top } : {}),
  };
}

export function filtersOf({ top: _top, ...filters }: CitizensSearch): CitizensFilters {
  return filters;
}

export function isFiltered(search: CitizensSearch): boolean {
  return Object.keys(filtersOf(search)).length > 0;
}
