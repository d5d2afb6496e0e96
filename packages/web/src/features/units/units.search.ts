import { pickSearch } from "#core/search.ts";

/** The address of the page: whether the form of a temporary unit is open. */
export interface UnitsSearch {
  readonly temporary?: string;
}

export function unitsSearch(search: Record<string, unknown>): UnitsSearch {
  const { temporary } = pickSearch(search, { temporary: 1 });
  return temporary === "1" ? { temporary } : {};
}
