import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { searchIcons } from "@rollcall/server/contract/icons";
import { queryOf } from "#core/queries.ts";

/** Most icons that a search shows. */
export const MOST_SHOWN = 96;

export function useIconSearch(query: string) {
  return useQuery({
    ...queryOf(searchIcons, { query: { query, limit: MOST_SHOWN } }),
    placeholderData: keepPreviousData,
  });
}
