import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import {
  avatarsTopic,
  avatarTopic,
  citizensTopic,
  citizenTopic,
  citizensPermissions,
  getCitizen,
  listCitizens,
} from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useLive } from "#core/realtime/live.tsx";
import { useLiveRows } from "#core/realtime/rows.ts";
import { filtersOf, isFiltered, type CitizensSearch } from "./citizens.search.ts";

export type Citizen = OutputOf<typeof getCitizen>;
export type CitizenRow = OutputOf<typeof listCitizens>["items"][number];

const PAGE = 50;
const NO_ROWS: readonly CitizenRow[] = [];

/** The list by its filters, page by page, following the game. */
export function useCitizens(search: CitizensSearch) {
  const query = useInfiniteQuery({
    ...pagesOf(listCitizens, filtersOf(search), PAGE),
    placeholderData: keepPreviousData,
    select: (data) => ({ rows: data.pages.flatMap((page) => page.items), ...countOf(data.pages.at(-1)) }),
  });
  const rows = useLiveRows<CitizenRow>({
    topic: citizensTopic,
    rows: query.data?.rows ?? NO_ROWS,
    filtered: isFiltered(search),
    refetch: () => void query.refetch(),
  });
  useLive(avatarsTopic, {
    onEvent: ({ id }) => void (rows.some((row) => row.id === id) && query.refetch()),
    // The rows themselves follow a topic that reads them again.
    onSnapshot: () => undefined,
  });
  return { query, rows, total: query.data?.total ?? 0, totalCapped: query.data?.totalCapped ?? false };
}

function countOf(page: { total: number; totalCapped: boolean } | undefined) {
  return { total: page?.total ?? 0, totalCapped: page?.totalCapped ?? false };
}

/** One citizen, following the game; `deleted` once the game has removed it. */
export function useCitizen(id: number) {
  const mayView = useAbilities().has(citizensPermissions.view);
  const query = useQuery({ ...queryOf(getCitizen, { params: { id } }), enabled: mayView });
  const rows = useLiveRows<Citizen>({
    topic: mayView ? citizenTopic : null,
    key: id,
    rows: query.data ? [query.data] : [],
    filtered: false,
    refetch: () => void query.refetch(),
  });
  useLive(mayView ? avatarTopic : null, { onEvent: () => void query.refetch(), onSnapshot: () => undefined }, id);
  return { query, citizen: rows[0], deleted: query.data !== undefined && rows.length === 0 };
}
