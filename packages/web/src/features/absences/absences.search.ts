import { pickSearch } from "#core/search.ts";

/** The address of the page: which month the calendar shows, and whether the form is open. */
export interface AbsencesSearch {
  /** `YYYY-MM`. */
  readonly month?: string;
  readonly ask?: string;
}

export function absencesSearch(search: Record<string, unknown>): AbsencesSearch {
  const { month, ask } = pickSearch(search, { month: 7, ask: 1 });
  return {
    ...(month !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {}),
    ...(ask === "1" ? { ask } : {}),
  };
}
