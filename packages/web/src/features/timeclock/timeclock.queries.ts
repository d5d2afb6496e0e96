import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { type Entry, getHours, getTeam, listEntries, timeclockTopic } from "@rollcall/server/contract/timeclock";
import { asProblem } from "#core/problem.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import type { Range } from "./range.ts";

export type { Entry };

const ENTRIES = 50;

export function useHours(id: number, range: Range) {
  useFollow(timeclockTopic);
  return useQuery({ ...queryOf(getHours, { params: { id }, query: { ...range } }), placeholderData: keepPreviousData });
}

const rangeErrors: ReadonlySet<string> = new Set(["timeclock.tooManyDays", "timeclock.lastBeforeFirst"]);

/** Reads again; undefined where only another range helps. */
export function retryOf(query: { readonly error: unknown; refetch(): unknown }): (() => void) | undefined {
  return rangeErrors.has(asProblem(query.error).code) ? undefined : () => void query.refetch();
}

/** The latest first. */
export function useEntries(citizenId: number, range: Range) {
  useFollow(timeclockTopic);
  const query = useInfiniteQuery({
    ...pagesOf(listEntries, { ...range, citizenId }, ENTRIES),
    placeholderData: keepPreviousData,
  });
  return { query, items: query.data?.pages.flatMap((page) => page.items) ?? [] };
}

/** Whose hours of those that the viewer sees; null for all. */
export interface TeamFilter {
  readonly grade: number | null;
  readonly group: number | null;
}

export const teamQuery = (range: Range, { grade, group }: TeamFilter) => ({
  ...range,
  ...(grade === null ? {} : { grade }),
  ...(group === null ? {} : { group }),
});

export function useTeam(range: Range, filter: TeamFilter) {
  useFollow(timeclockTopic);
  const query = teamQuery(range, filter);
  return useQuery({ ...queryOf(getTeam, { query }), placeholderData: keepPreviousData });
}
