import { callsOrders } from "@rollcall/server/contract/calls";
import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the list, in its address, and whether the form is open. */
export interface CallsSearch extends ListAddress {
  readonly q?: string;
  readonly state?: string;
  readonly typeId?: string;
  readonly priority?: string;
  readonly new?: string;
}

/** Maximum length of each field, as in the contract. */
const LENGTHS = { q: 64, state: 12, typeId: 10, priority: 1, new: 1 } as const;

export function callsSearch(search: Record<string, unknown>): CallsSearch {
  return pickListSearch(search, LENGTHS, callsOrders.names);
}
