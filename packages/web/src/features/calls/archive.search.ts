import { archiveStates, callsOrders } from "@rollcall/server/contract/calls";
import { isDay } from "#core/day.ts";
import { filtersOf, type ListAddress, pickListSearch } from "#core/search.ts";

/** The filters of the archive, in its address. */
export interface ArchiveSearch extends ListAddress {
  readonly q?: string;
  /** Left out, every state but open. */
  readonly state?: string;
  readonly typeId?: string;
  readonly priority?: string;
  readonly postal?: string;
  readonly job?: string;
  readonly unitId?: string;
  /** Days, `YYYY-MM-DD`, both included, as the server counts them. */
  readonly from?: string;
  readonly until?: string;
}

/** Maximum length of each field, as in the contract. */
const LENGTHS = { q: 64, state: 12, typeId: 10, priority: 1, postal: 48, job: 50, unitId: 10, from: 10, until: 10 } as const;

/** Without what no calendar has and what is not archived: the server would refuse it. */
export function archiveSearch(search: Record<string, unknown>): ArchiveSearch {
  const { from, until, state, ...rest } = pickListSearch(search, LENGTHS, callsOrders.names);
  return {
    ...rest,
    ...(from !== undefined && isDay(from) ? { from } : {}),
    ...(until !== undefined && isDay(until) ? { until } : {}),
    ...(archiveStates.some((one) => one === state) ? { state: state! } : {}),
  };
}

/** What the list shows and exports: ended calls, the latest first. */
export function archiveFilters(search: ArchiveSearch): Record<string, unknown> {
  return { order: "-createdAt", state: "ended", ...filtersOf(search) };
}
