import type { Page } from "./contract/index.ts";
import { guardErrors } from "./contract/guard.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { type OrderedList, type Ordered, type Position } from "./db/lists.ts";
import { AppError } from "./errors.ts";
import { mostFound, type PageQuery, positionOf } from "./paging.ts";
import type { SearchFound } from "./ports/search.ts";

const usualLimit = 50;
const byRank = "found";

/** What a search or a filter found, best first. */
export interface FoundIds {
  readonly ids: readonly number[];
  /** How many were found, if more than the `ids`. */
  readonly total: number;
  readonly isMore: boolean;
}

export const foundIds = (ids: readonly number[]): FoundIds => ({ ids, total: ids.length, isMore: ids.length >= mostFound });

export const idsOf = ({ hits, total, isMore }: SearchFound): FoundIds => ({ ids: hits.map(({ id }) => id), total, isMore });

/** Where a page of a search begins, and how many hits are needed for it: one more than it shows. */
interface FoundPlace {
  readonly from: number;
  readonly limit: number;
  readonly needed: number;
}

/** Throws `system.invalidInput` for a cursor of a list without a search. */
function foundPlace({ order, cursor, limit = usualLimit }: PageQuery): FoundPlace {
  const after = cursor === undefined ? null : readCursor(cursor, order ?? byRank);
  const from = after?.key ?? 0;
  if (typeof from !== "number" || from < 0 || (after?.id !== undefined && after.id !== 0))
    throw new AppError(guardErrors.invalidInput, { params: { field: "query.cursor", problem: "is not the `next` of a page" } });
  return { from, limit, needed: Math.min(mostFound, from + limit + 1) };
}

/** How many hits a page needs: all of them where an order or other filters decide what is on it. */
export function hitsNeeded(query: PageQuery, isNarrowed: boolean): number {
  return isNarrowed || query.order !== undefined ? mostFound : foundPlace(query).needed;
}

function pageAt<Row>(items: readonly Row[], { from, limit }: FoundPlace, order: string, found: Omit<FoundIds, "ids">): Page<Row> {
  const next = from + limit;
  const hasNext = next < mostFound && next < found.total;
  return {
    items: [...items],
    next: hasNext ? writeCursor({ order, key: next, id: 0 }) : null,
    total: found.total,
    totalCapped: found.isMore,
  };
}

type ListRow = Ordered & { readonly id: number };

/** Of the ids, the rows that match all other filters. */
export type ReadFound<Row> = (ids: readonly number[], position: Position, limit: number) => Promise<readonly Row[]>;

/**
 * One page of what a search found: best first, or in the order that the query names. Only the rows of the page are
 * read, unless they are ordered or `isNarrowed` by other filters, which decide what is on the page.
 */
export async function readFound<N extends string, Row extends ListRow>(
  list: OrderedList<N>,
  query: PageQuery<N>,
  { ids, total, isMore }: FoundIds,
  read: ReadFound<Row>,
  { isNarrowed }: { readonly isNarrowed: boolean },
): Promise<Page<Row>> {
  const place = foundPlace(query);
  const end = place.from + place.limit;
  const position = positionOf(list, query.order === undefined ? {} : { order: query.order });
  const readIds = async (wanted: readonly number[]) => (wanted.length === 0 ? [] : await read(wanted, position, mostFound));
  const rank = new Map(ids.map((id, at) => [id, at]));
  const ranked = (rows: readonly Row[]) => rows.toSorted((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
  if (query.order === undefined && !isNarrowed)
    return pageAt(ranked(await readIds(ids.slice(place.from, end))), place, byRank, { total, isMore });
  const rows = await readIds(ids);
  const sorted = query.order === undefined ? ranked(rows) : rows;
  return pageAt(sorted.slice(place.from, end), place, query.order ?? byRank, { total: rows.length, isMore });
}
