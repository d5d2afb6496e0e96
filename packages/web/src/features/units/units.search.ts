import { pickSearch } from "#core/search.ts";

/** The address of the page: whether the form of a temporary unit is open, and which unit somebody looks for. */
export interface UnitsSearch {
  readonly temporary?: string;
  /** A unit that is marked and scrolled to. */
  readonly unit?: string;
}

export function unitsSearch(search: Record<string, unknown>): UnitsSearch {
  const { temporary, unit } = pickSearch(search, { temporary: 1, unit: 10 });
  return { ...(temporary === "1" ? { temporary } : {}), ...(unit !== undefined && /^[1-9]\d*$/.test(unit) ? { unit } : {}) };
}
