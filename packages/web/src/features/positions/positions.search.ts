import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the page, in its address. `postal`: those nearest to it come first. */
export interface PositionsSearch extends ListAddress {
  readonly q?: string;
  readonly job?: string;
  readonly postal?: string;
}

export function positionsSearch(search: Record<string, unknown>): PositionsSearch {
  return pickListSearch(search, { q: 64, job: 50, postal: 48 });
}
