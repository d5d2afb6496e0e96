import { keepPreviousData, type QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  type ConductEntry,
  type ConductKind,
  conductPermissions,
  conductTopic,
  getEntry,
  getPoints,
  listEntries,
  listKinds,
  listOwnEntries,
} from "@rollcall/server/contract/conduct";
import { useAbilities } from "#core/abilities.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";

export type { ConductEntry, ConductKind };

const PAGE = 50;

/** Whether the viewer sees anything of the register. */
export function useSeesRegister(): boolean {
  const abilities = useAbilities();
  return abilities.has(conductPermissions.view) || abilities.has(conductPermissions.write);
}

export function useEntries(filter: Record<string, unknown>) {
  const enabled = useSeesRegister();
  useFollow(enabled ? conductTopic : null);
  const query = useInfiniteQuery({ ...pagesOf(listEntries, filter, PAGE), enabled, placeholderData: keepPreviousData });
  const [first] = query.data?.pages ?? [];
  return {
    query,
    items: query.data?.pages.flatMap((page) => page.items) ?? [],
    total: first?.total ?? 0,
    totalCapped: first?.totalCapped ?? false,
  };
}

/** About the viewer. */
export function useOwnEntries() {
  useFollow(conductTopic);
  const query = useInfiniteQuery(pagesOf(listOwnEntries, {}, PAGE));
  return { query, first: query.data?.pages[0], items: query.data?.pages.flatMap((page) => page.items) ?? [] };
}

export function useEntry(id: number) {
  useFollow(conductTopic);
  return useQuery(queryOf(getEntry, { params: { id } }));
}

export function usePoints(id: number) {
  useFollow(conductTopic);
  return useQuery(queryOf(getPoints, { params: { id } }));
}

/** Kinds and thresholds of the own job; nothing is read without a right. `fresh`: read again now. */
export function useKinds(fresh = false) {
  const sees = useSeesRegister();
  const enabled = useAbilities().has(conductPermissions.kinds) || sees;
  useFollow(enabled ? conductTopic : null);
  return useQuery({ ...queryOf(listKinds, {}), enabled, ...(fresh ? { refetchOnMount: "always" as const } : {}) });
}

/** Reads again what a change of an entry makes stale. */
export function readAgain(queries: QueryClient): void {
  for (const one of [getEntry, listEntries, listOwnEntries, getPoints]) void queries.invalidateQueries({ queryKey: [one.id] });
}
