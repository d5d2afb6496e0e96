import { isDay } from "#core/day.ts";
import { pickListSearch } from "#core/search.ts";

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

/** Maximum length of each field, as in the contract. */
const LENGTHS = { q: 64, dateOfBirth: 10, phone: 20, plate: 32, job: 50 } as const;

export function citizensSearch(search: Record<string, unknown>): CitizensSearch {
  const { dateOfBirth, ...rest } = pickListSearch(search, LENGTHS);
  return { ...rest, ...(isDay(dateOfBirth) ? { dateOfBirth } : {}) };
}
