import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the page, in its address. */
export interface DutySearch extends ListAddress {
  readonly q?: string;
  readonly job?: string;
  /** The rules of duty are open. */
  readonly rules?: string;
}

export function dutySearch(search: Record<string, unknown>): DutySearch {
  return pickListSearch(search, { q: 64, job: 50, rules: 1 });
}

/** Undefined for the viewer's own job. */
export interface HoursSearch extends ListAddress {
  readonly job?: string;
}

export function hoursSearch(search: Record<string, unknown>): HoursSearch {
  return pickListSearch(search, { job: 50 });
}
