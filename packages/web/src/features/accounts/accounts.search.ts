import { pickSearch } from "#core/search.ts";

/** The address of the list of accounts. */
export interface AccountsSearch {
  readonly q?: string;
  readonly only?: string;
  /** Index of the first visible row. */
  readonly top?: string;
}

export const FILTERS = ["disabled", "admins", "waiting", "withoutPassword", "deleted"] as const;

export function accountsSearch(search: Record<string, unknown>): AccountsSearch {
  const { top, only, ...rest } = pickSearch(search, { q: 64, only: 20, top: 6 });
  return {
    ...rest,
    ...(only !== undefined && (FILTERS as readonly string[]).includes(only) ? { only } : {}),
    ...(top !== undefined && /^[1-9]\d*$/.test(top) ? { top } : {}),
  };
}

export function filtersOf({ top: _top, ...filters }: AccountsSearch): Omit<AccountsSearch, "top"> {
  return filters;
}
