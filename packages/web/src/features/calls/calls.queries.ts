import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { assignmentsTopic } from "@rollcall/server/contract/assignments";
import {
  type Call,
  type CallDetail,
  callsPermissions,
  callsTopic,
  getCall,
  getStorm,
  listCallable,
  listCalls,
  listOwnCalls,
  listPresent,
  listStormAlerts,
  listStorms,
  listTypes,
  type Storm,
  type StormAlert,
} from "@rollcall/server/contract/calls";
import { useAbilities } from "#core/abilities.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useFollow, useLiveList } from "#core/realtime/lists.ts";
import { filtersOf } from "#core/search.ts";
import { archiveFilters, type ArchiveSearch } from "./archive.search.ts";
import type { CallsSearch } from "./calls.search.ts";

export type { Call, CallDetail, Storm, StormAlert };

/** What the list shows and exports: open calls, unless something is searched or a state is chosen. */
export function shownFilters({ new: _new, ...search }: CallsSearch): Record<string, unknown> {
  const filters = filtersOf(search);
  return search.q === undefined && search.state === undefined ? { ...filters, state: "open" } : filters;
}

/** The filtered list, page by page, with live changes. */
export function useCalls(search: CallsSearch) {
  const enabled = useAbilities().has(callsPermissions.view);
  return useLiveList<Call>({ operation: listCalls, topic: callsTopic, filters: shownFilters(search), enabled });
}

/** Ended calls, page by page; one that ends comes in, one that is reopened leaves. */
export function useArchive(search: ArchiveSearch) {
  return useLiveList<Call>({ operation: listCalls, topic: callsTopic, filters: archiveFilters(search) });
}

export function useCall(id: number) {
  useFollow(callsTopic);
  // Who sees it by the own unit alone gets changes there.
  useFollow(assignmentsTopic);
  return useQuery(queryOf(getCall, { params: { id } }));
}

/** Of the own job; nothing is read without the right. */
export function usePresentCalls() {
  const enabled = useAbilities().has(callsPermissions.view);
  useFollow(enabled ? callsTopic : null);
  return useQuery({ ...queryOf(listPresent, {}), enabled });
}

export function useOwnCalls() {
  useFollow(callsTopic);
  return useQuery(queryOf(listOwnCalls, {}));
}

/** Types and rules of the own job. */
export function useTypes(fresh = false) {
  useFollow(callsTopic);
  return useQuery({ ...queryOf(listTypes, {}), ...(fresh ? { refetchOnMount: "always" as const } : {}) });
}

export function useCallable() {
  useFollow(callsTopic);
  return useQuery(queryOf(listCallable, {}));
}

/** Storms of the own job that nobody has handled; nothing is read without the right. */
export function useStorms() {
  const enabled = useAbilities().has(callsPermissions.dispatch);
  useFollow(enabled ? callsTopic : null);
  return useQuery({ ...queryOf(listStorms, {}), enabled });
}

export function useStorm(id: number) {
  return useQuery(queryOf(getStorm, { params: { id } }));
}

/** The newest alerts of a storm, or of one of its places. */
export function useStormAlerts(id: number, place: string | null) {
  return useInfiniteQuery(pagesOf(listStormAlerts, place === null ? {} : { place }, 30, { id }));
}
