import { pickSearch } from "#core/search.ts";

/** The address of the vehicles list: filters, and the row at the top of the screen. */
export interface VehiclesSearch {
  readonly q?: string;
  readonly job?: string;
  /** Index of the first visible row. */
  readonly top?: string;
}

export type VehiclesFilters = Omit<VehiclesSearch, "top">;

/** Longest text of each, as the contract says. */
const LENGTHS = { q: 64, job: 50, top: 6 } as const;
const NUMBER = /^[1-9]\d*$/;

export function vehiclesSearch(search: Record<string, unknown>): VehiclesSearch {
  const { top, ...rest } = pickSearch(search, LENGTHS);
  return {
    ...rest,
    ...(top !== undefined && NUMBER.test(top) ? { top } : {}),
  };
}

export function filtersOf({ top: _top, ...filters }: VehiclesSearch): VehiclesFilters {
  return filters;
}

export function isFiltered(search: VehiclesSearch): boolean {
  return Object.keys(filtersOf(search)).length > 0;
}
