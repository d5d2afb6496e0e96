import { mostCounted, type OrderOf, type Page, readOrder } from "./contract/index.ts";
import { type Cursor, readCursor, writeCursor } from "./cursor.ts";
import type { Ordered, OrderedList, Position } from "./db/lists.ts";
import { countVisible, readVisible, type VisibleRead } from "./db/visible.ts";
import { guardErrors } from "./contract/guard.ts";
import { AppError } from "./errors.ts";
import type { Tx } from "./ports/database.ts";

/** The most hits of a search: its pages end there. */
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

/** How a feature reads a list of which its reader sees a part. */
export interface VisibleListRead<Row> extends Omit<VisibleRead, "list" | "position"> {
  rows(ids: readonly number[]): Promise<readonly Row[]>;
}

/**
 * One page of a list of objects with access lists, in at most seven statements. The total is counted as far as that
 * takes no look at more than the first rows of the list: then there may be more.
 */
export async function readVisiblePage<N extends string, Row extends { readonly id: number }>(
  tx: Tx,
  list: OrderedList<N>,
  query: PageQuery<N>,
  { rows, ...read }: VisibleListRead<Row>,
): Promise<Page<Row>> {
  const position = positionOf(list, query);
  const limit = query.limit ?? usualLimit;
  const found = await readVisible(tx, { ...read, list, position, limit: limit + 1 });
  const complete = position.after === null && found.length <= limit;
  const { count, more } = complete
    ? { count: found.length, more: false }
    : await countVisible(tx, { ...read, list, position }, mostCounted);
  const shown = found.slice(0, limit);
  const byId = new Map((await rows(shown.map(({ id }) => id))).map((row) => [row.id, row]));
  const last = shown.at(-1);
  return {
    items: shown.flatMap(({ id }) => byId.get(id) ?? []),
    next: found.length > limit && last !== undefined ? writeCursor(cursorOf(position, last)) : null,
    total: Math.max(count, shown.length),
    totalCapped: more,
  };
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
