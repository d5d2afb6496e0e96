import { vehiclesOrders } from "@rollcall/server/contract/vehicles";
import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the vehicles list, in its address. */
export interface VehiclesSearch extends ListAddress {
  readonly q?: string;
  readonly job?: string;
}

/** Maximum length of each field, as in the contract. */
const LENGTHS = { q: 64, job: 50 } as const;

export function vehiclesSearch(search: Record<string, unknown>): VehiclesSearch {
  return pickListSearch(search, LENGTHS, vehiclesOrders.names);
}
