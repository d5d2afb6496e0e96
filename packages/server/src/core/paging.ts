import { mostCounted, type OrderOf, type Page, readOrder } from "./contract/index.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";
import type { Ordered, OrderedList, Position } from "./db/lists.ts";
import { guardErrors } from "./contract/guard.ts";
import { AppError } from "./errors.ts";

/** The most hits of a ranked search, which has no pages. */
export const mostFound = 200;

const usualLimit = 50;

/** What a caller says about the page of a list that it wants. */
export interface PageQuery<N extends string = string> {
  readonly order?: OrderOf<N>;
  readonly cursor?: string;
  readonly limit?: number;
}

/** How a feature reads a list. */
export interface ListRead<Row> {
  /** With `readOrdered`. */
  rows(position: Position, limit: number): Promise<readonly Row[]>;
  /** How many rows the list has, counted no further than `cap`. */
  count(cap: number): Promise<number>;
}

type ListRow = Ordered & { readonly id: number };

/** Throws `system.invalidInput` for a cursor of another order. */
export function positionOf<N extends string>({ table, orders, keys }: OrderedList<N>, query: PageQuery<N>): Position {
  const order = query.order ?? orders.default;
  const { name, descending } = readOrder(order);
  const key = keys[name];
  const after = query.cursor === undefined ? null : readCursor(query.cursor, order);
  const fits = after === null || (after.key === null ? key.nullable : typeof after.key === key.type);
  if (!fits)
    throw new AppError(guardErrors.invalidInput, { params: { field: "query.cursor", problem: "is not the `next` of a page" } });
  return { table: table.name, order, key, descending, after };
}

export const cursorOf = ({ order }: Position, { order_key, id }: ListRow): Cursor => ({ order, key: order_key, id });

/** One page of a list, in one of its orders. */
export async function readPage<N extends string, Row extends ListRow>(
  list: OrderedList<N>,
  query: PageQuery<N>,
  read: ListRead<Row>,
): Promise<Page<Row>> {
  const position = positionOf(list, query);
  const limit = query.limit ?? usualLimit;
  const rows = await read.rows(position, limit + 1);
  const complete = position.after === null && rows.length <= limit;
  const count = complete ? rows.length : await read.count(mostCounted + 1);
  return keysetPage({ rows, limit, count, cursorOf: (row) => cursorOf(position, row) });
}

/** As `readPage`; with the `ids` that a search found, all of them on one page, best first unless the query names an order. */
export async function readList<N extends string, Row extends ListRow>(
  list: OrderedList<N>,
  query: PageQuery<N>,
  ids: readonly number[] | null,
  read: ListRead<Row>,
): Promise<Page<Row>> {
  if (ids === null) return await readPage(list, query, read);
  if (ids.length === 0) return foundPage<Row>([], ids);
  const { order } = query;
  const rows = await read.rows(positionOf(list, order === undefined ? {} : { order }), mostFound);
  return order === undefined ? rankedPage(rows, ids) : foundPage(rows, ids);
}

export interface KeysetRead<Row> {
  /** In order of the keyset, read up to one more than `limit`. */
  readonly rows: readonly Row[];
  readonly limit: number;
  /** Matching rows of all pages, counted up to one more than `mostCounted`. */
  readonly count: number;
  cursorOf(row: Row): Cursor;
}

/** For lists without orders: the cursor of those that are ordered by id alone. */
export const idCursor = <Row extends { readonly id: number }>({ id }: Row): Cursor => ({ order: "", key: null, id });

export function keysetPage<Row>({ rows, limit, count, cursorOf: cursor }: KeysetRead<Row>): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    next: rows.length > limit && last !== undefined ? writeCursor(cursor(last)) : null,
    total: Math.min(count, mostCounted),
    totalCapped: count > mostCounted,
  };
}

/** The only page of a search: of the `ids` that it found, the rows that match the filters too. */
function foundPage<Row>(items: readonly Row[], ids: readonly number[]): Page<Row> {
  return { items: [...items], next: null, total: items.length, totalCapped: ids.length >= mostFound };
}

/** As `foundPage`, in the order of the `ids`. */
export function rankedPage<Row extends { readonly id: number }>(rows: readonly Row[], ids: readonly number[]): Page<Row> {
  const rank = new Map(ids.map((id, i) => [id, i]));
  return foundPage(
    rows.toSorted((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0)),
    ids,
  );
}
