import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import {
  type ActivityKind,
  type Colleague,
  colleaguesPermissions,
  colleaguesTopic,
  type ColleagueRow,
  getColleague,
  listActivity,
  listColleagues,
  listExpiring,
  listLabels,
  listMoves,
} from "@rollcall/server/contract/colleagues";
import { useAbilities } from "#core/abilities.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useFollow, useLiveAnswer, useLiveList } from "#core/realtime/lists.ts";
import { filtersOf } from "#core/search.ts";
import type { ColleaguesSearch } from "./colleagues.search.ts";

export type { Colleague, ColleagueRow };

/** A row of the list, which says when live data changed it. */
export type Listed = ColleagueRow & { readonly deleted?: boolean };

/** The filtered list, page by page, with live changes. */
export function useColleagues(search: ColleaguesSearch) {
  return useLiveList<Listed>({ operation: listColleagues, topic: colleaguesTopic, filters: filtersOf(search) });
}

/** One colleague with live changes. */
export function useColleague(id: number) {
  const enabled = useAbilities().has(colleaguesPermissions.view);
  return useLiveAnswer(getColleague, { params: { id } }, { topic: colleaguesTopic, enabled }).query;
}

/** Labels of the own job, also deleted ones for those who may restore them; nothing without the right. `fresh`: read again now. */
export function useLabels(fresh = false) {
  const abilities = useAbilities();
  const enabled = abilities.has(colleaguesPermissions.view) || abilities.has(colleaguesPermissions.labels);
  useFollow(enabled ? colleaguesTopic : null);
  return useQuery({ ...queryOf(listLabels, {}), enabled, ...(fresh ? { refetchOnMount: "always" as const } : {}) });
}

export function useExpiring() {
  useFollow(colleaguesTopic);
  return useQuery(queryOf(listExpiring, {}));
}

/** What the viewer asked the game to change, and may ask; about somebody, or of people who do not work here. */
export function useMoves(citizenId?: number) {
  useFollow(colleaguesTopic);
  return useQuery(queryOf(listMoves, { query: citizenId === undefined ? {} : { citizenId } }));
}

const ACTIVITIES = 30;

/** The newest first, of the job or of one colleague. */
export function useActivities(filter: { readonly citizenId?: number; readonly kind?: ActivityKind }) {
  useFollow(colleaguesTopic);
  return useInfiniteQuery({ ...pagesOf(listActivity, filter, ACTIVITIES), placeholderData: keepPreviousData });
}
