import { panicOrders } from "@rollcall/server/contract/panic";
import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the history, in its address. */
export interface PanicSearch extends ListAddress {
  readonly q?: string;
  readonly state?: string;
}

/** Maximum length of each field, as in the contract. */
const LENGTHS = { q: 64, state: 12 } as const;

export function panicSearch(search: Record<string, unknown>): PanicSearch {
  return pickListSearch(search, LENGTHS, panicOrders.names);
}
