import { useEffect, useEffectEvent } from "react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { auditFacets, exportAudit, getAudit, listAudit, accessLogSeen, myAccessLog } from "@rollcall/server/contract/audit";
import { usePreference } from "#core/accountPreferences.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { type AuditFilters, queryOfFilters } from "./audit.search.ts";

export type Row = OutputOf<typeof listAudit>["items"][number];
export type Entry = OutputOf<typeof getAudit>;

const PAGE = 50;
/** Reload interval while only the first page is shown. Milliseconds. */
const LIVE = 10_000;
const NO_ROWS: readonly Row[] = [];

export function useEntries(filters: AuditFilters, order: string | undefined) {
  const query = useInfiniteQuery({
    ...pagesOf(listAudit, { ...queryOfFilters(filters), order }, PAGE),
    staleTime: 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : LIVE),
  });
  const pages = query.data?.pages ?? [];
  const rows = pages.length === 0 ? NO_ROWS : pages.flatMap((page) => page.items);
  const total = Math.max(rows.length, filters.q === undefined ? (pages[0]?.total ?? 0) : 0);
  return { query, rows, total, more: query.hasNextPage && total === rows.length, capped: pages[0]?.totalCapped ?? false };
}

export function useEntry(id: number) {
  return useQuery(queryOf(getAudit, { params: { id } }));
}

export function useFacets() {
  return useQuery({ ...queryOf(auditFacets, {}), staleTime: 60_000 });
}

export function useAccessLog() {
  return useInfiniteQuery(pagesOf(myAccessLog, {}, PAGE));
}

/** Remembers that the entries up to this instant were shown, so that later ones are news. */
export function useAccessLogSeen(newest: number | null): void {
  const { value, known, set } = usePreference(accessLogSeen);
  const mark = useEffectEvent((at: number) => {
    // What could not be stored is news once more.
    if (at > value.at) set({ at }).catch(() => undefined);
  });
  useEffect(() => {
    if (known && newest !== null) mark(newest);
  }, [known, newest]);
}

/** Fetches the export as JSON and lets the browser save it. */
export async function saveExport(filters: AuditFilters): Promise<void> {
  const blob = (await api.call(exportAudit, { query: queryOfFilters(filters) })) as unknown as Blob;
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = "audit.json";
  link.click();
  URL.revokeObjectURL(address);
}
