import { accountsOrders } from "@rollcall/server/contract/accounts";
import { type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the list of accounts, in its address. */
export interface AccountsSearch extends ListAddress {
  readonly q?: string;
  readonly only?: string;
}

export const FILTERS = ["disabled", "admins", "waiting", "withoutPassword", "deleted"] as const;

export function accountsSearch(search: Record<string, unknown>): AccountsSearch {
  const { only, ...rest } = pickListSearch(search, { q: 64, only: 20 }, accountsOrders.names);
  return { ...rest, ...(only !== undefined && (FILTERS as readonly string[]).includes(only) ? { only } : {}) };
}
