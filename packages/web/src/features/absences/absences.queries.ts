import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type Absence,
  absencesPermissions,
  absencesTopic,
  getCapacity,
  getStatistics,
  listAbsent,
  listKinds,
  listMonth,
  listOf,
  listOwn,
  listWaiting,
} from "@rollcall/server/contract/absences";
import { approvalsTopic } from "@rollcall/server/contract/approvals";
import type { OutputOf } from "@rollcall/server/contract/core";
import { useAbilities } from "#core/abilities.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useLive } from "#core/realtime/live.tsx";
import { useFollow } from "#core/realtime/lists.ts";

export { today } from "#core/today.ts";
export type { Absence };
export type Capacity = OutputOf<typeof getCapacity>;

const OWN = 50;
const MONTH = 200;

/** The own absences, the latest request first. */
export function useOwnAbsences() {
  useFollow(absencesTopic);
  const query = useInfiniteQuery(pagesOf(listOwn, {}, OWN));
  return { query, items: query.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** Of a colleague, the latest first, and whether the viewer may enter one. */
export function useAbsencesOf(id: number) {
  useFollow(absencesTopic);
  const query = useInfiniteQuery(pagesOf(listOf, { citizenId: id }, OWN));
  return {
    query,
    items: query.data?.pages.flatMap((page) => page.items) ?? [],
    enter: query.data?.pages[0]?.enter ?? false,
  };
}

/** By day, and by kind for those who see the kinds of everybody. */
export function useStatistics(days: { readonly firstDay: string; readonly lastDay: string }) {
  useFollow(absencesTopic);
  return useQuery({ ...queryOf(getStatistics, { query: days }), placeholderData: keepPreviousData });
}

/** Those that wait for the viewer's decision. */
export function useWaitingAbsences() {
  const queries = useQueryClient();
  const read = () => void queries.invalidateQueries({ queryKey: [listWaiting.id] });
  useFollow(absencesTopic);
  // Who decides also changes with what people hand over to each other, which is no change of an absence.
  useLive(approvalsTopic, { onEvent: read, onSnapshot: read });
  return useQuery(queryOf(listWaiting, {}));
}

export function useMonth(month: string) {
  const enabled = useAbilities().has(absencesPermissions.list);
  useFollow(enabled ? absencesTopic : null);
  const query = useInfiniteQuery({ ...pagesOf(listMonth, { month }, MONTH), enabled, placeholderData: keepPreviousData });
  return { query, items: query.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** How many are absent on each of these days; null for days that are not complete yet. */
export function useCapacity(days: { readonly firstDay: string; readonly lastDay: string } | null) {
  useFollow(absencesTopic);
  return useQuery({
    ...queryOf(getCapacity, { query: days ?? { firstDay: "", lastDay: "" } }),
    enabled: days !== null,
    placeholderData: keepPreviousData,
  });
}

export function useKinds(fresh = false) {
  useFollow(absencesTopic);
  return useQuery({ ...queryOf(listKinds, {}), ...(fresh ? { refetchOnMount: "always" as const } : {}) });
}

/** Also those of the next hours are in the answer, so that it need not be read at midnight. */
const AGAIN = 3_600_000;

/** Who of the own job is absent. */
export function useAbsent() {
  const enabled = useAbilities().has(absencesPermissions.list);
  useFollow(enabled ? absencesTopic : null);
  return useQuery({ ...queryOf(listAbsent, {}), enabled, refetchInterval: AGAIN });
}
