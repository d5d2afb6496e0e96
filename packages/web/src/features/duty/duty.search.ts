import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the page, in its address. */
export interface DutySearch extends ListAddress {
  readonly q?: string;
  readonly job?: string;
}

export function dutySearch(search: Record<string, unknown>): DutySearch {
  return pickListSearch(search, { q: 64, job: 50 });
}
