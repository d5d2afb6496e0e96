import { citizensOrders } from "@rollcall/server/contract/citizens";
import { isDay } from "#core/day.ts";
import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the citizens list, in its address. */
export interface CitizensSearch extends ListAddress {
  readonly q?: string;
  readonly dateOfBirth?: string;
  readonly phone?: string;
  readonly plate?: string;
  readonly job?: string;
}

/** Maximum length of each field, as in the contract. */
const LENGTHS = { q: 64, dateOfBirth: 10, phone: 20, plate: 32, job: 50 } as const;

export function citizensSearch(search: Record<string, unknown>): CitizensSearch {
  const { dateOfBirth, ...rest } = pickListSearch(search, LENGTHS, citizensOrders.names);
  return { ...rest, ...(isDay(dateOfBirth) ? { dateOfBirth } : {}) };
}

/** The server puts the best matches first, unless an order is chosen. A phone number is a filter. */
export const isRanked = ({ q, plate }: CitizensSearch) => q !== undefined || plate !== undefined;
