import { pickListSearch } from "#core/search.ts";

/** The address of the vehicles list: filters, and the row at the top of the screen. */
export interface VehiclesSearch {
  readonly q?: string;
  readonly job?: string;
  /** Index of the first visible row. */
  readonly top?: string;
}

/** Maximum length of each field, as in the contract. */
const LENGTHS = { q: 64, job: 50 } as const;

export function vehiclesSearch(search: Record<string, unknown>): VehiclesSearch {
  return pickListSearch(search, LENGTHS);
}
