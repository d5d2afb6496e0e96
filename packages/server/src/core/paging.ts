import { mostCounted, type Page } from "./contract/index.ts";
import { type Cursor, writeCursor } from "./cursor.ts";

export interface KeysetRead<Row> {
  /** In order of the keyset, read up to one more than `limit`. */
  readonly rows: readonly Row[];
  readonly limit: number;
  /** Matching rows of all pages, counted up to one more than `mostCounted`. */
  readonly count: number;
  cursorOf(row: Row): Cursor;
}

export function keysetPage<Row>({ rows, limit, count, cursorOf }: KeysetRead<Row>): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next: rows.length > limit && last !== undefined ? writeCursor(cursorOf(last)) : null,
    total: Math.min(count, mostCounted),
    totalCapped: count > mostCounted,
  };
}

/** The only page of a ranked search: `rows` in the order of `ids`, of which the search found at most `most`. */
export function rankedPage<Row extends { readonly id: number }>(
  rows: readonly Row[],
  ids: readonly number[],
  most: number,
): Page<Row> {
  const rank = new Map(ids.map((id, i) => [id, i]));
  const items = rows.toSorted((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
  return { items, next: null, total: items.length, totalCapped: ids.length >= most };
}
