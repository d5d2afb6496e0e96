import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Orders } from "../contract/orders.ts";
import type { Tx } from "../ports/database.ts";
import { dialectOf } from "./queries.ts";
import type { Column, Table } from "./table.ts";

/** A value by which rows are ordered. */
export type SortValue = string | number | null;

/** The column of an order, with the index that reads it. Rows with the same value are ordered by id. */
export interface SortKey {
  readonly column: string;
  readonly index: string;
  readonly type: "string" | "number";
  readonly nullable: boolean;
}

/** A list with the orders in which it can be read. */
export interface OrderedList<N extends string = string> {
  readonly table: Table;
  readonly orders: Orders<N>;
  /** A column that is null in all rows of the list; null when the list has all rows of its table. */
  readonly live: string | null;
  readonly keys: Readonly<Record<N, SortKey>>;
  /** What the list can be narrowed by, as values of columns. */
  readonly filters: Readonly<Record<string, ListFilter<N>>>;
}

/** A column that a list can be narrowed by, with the index for each order. */
export interface ListFilter<N extends string = string> {
  readonly column: string;
  readonly indexes: Readonly<Record<N, string>>;
}

/** The last row of a page. */
export interface Place {
  readonly key: SortValue;
  readonly id: number;
}

/** Where a page begins, in one order of a list. */
export interface Position {
  readonly table: string;
  readonly order: string;
  readonly key: SortKey;
  readonly descending: boolean;
  /** Null on the first page. */
  readonly after: Place | null;
}

/** What `readOrdered` adds to a row: its value of the position's column. */
export interface Ordered {
  readonly order_key: SortValue;
}

/** Both databases append the primary key to an index, so one that ends with the column orders by id as well. */
function indexOver({ options }: Table, columns: readonly string[]): string | undefined {
  const all = { PRIMARY: options.primary, ...options.indexes };
  const fits = (index: readonly string[]) => index.join() === columns.join() || index.join() === [...columns, "id"].join();
  return Object.entries(all).find(([, index]) => fits(index))?.[0];
}

interface ListColumns<N extends string, K> {
  readonly live?: K;
  readonly by: Readonly<Record<N, K>>;
  readonly filters?: Readonly<Record<string, K>>;
}

/**
 * Declares the column of each order and filter of a list. Throws when an order has no index over `live` and its column,
 * or a filter none over `live`, its column and that of an order: it would sort or search all rows for each page.
 */
export function defineOrderedList<N extends string, C extends Record<string, Column>>(
  table: Table<string, C>,
  orders: Orders<N>,
  { live, by, filters = {} }: ListColumns<N, keyof C & string>,
): OrderedList<N> {
  const keyOf = (name: N): SortKey => {
    const column = by[name];
    const { type, nullable } = table.columns[column]!;
    const lives = live === undefined ? [] : [live];
    const columns = column === "id" ? ["id"] : [...lives, column];
    // Few rows of a table are not live, so its rows in order of their ids are the list as well.
    const index = (column === "id" && live !== undefined ? indexOver(table, lives) : undefined) ?? indexOver(table, columns);
    if (index === undefined) throw new Error(`${table.name} has no index over ${columns.join(", ")} for the order ${name}`);
    return { column, index, nullable, type: ["text", "key", "longText"].includes(type) ? "string" : "number" };
  };
  const filterOf = (filter: string, column: string): ListFilter<N> => {
    const indexes = orders.names.map((name): [N, string] => {
      const columns = [...(live === undefined ? [] : [live]), column, ...(by[name] === column ? [] : [by[name]])];
      const index = indexOver(table, columns[columns.length - 1] === "id" ? columns.slice(0, -1) : columns);
      if (index !== undefined) return [name, index];
      throw new Error(`${table.name} has no index over ${columns.join(", ")} for the filter ${filter} in the order ${name}`);
    });
    return { column, indexes: Object.fromEntries(indexes) as Record<N, string> };
  };
  const keys = Object.fromEntries(orders.names.map((name) => [name, keyOf(name)]));
  return {
    table,
    orders,
    live: live ?? null,
    keys: keys as Record<N, SortKey>,
    filters: Object.fromEntries(Object.entries(filters).map(([name, column]) => [name, filterOf(name, column)])),
  };
}

/** A part of what follows a position: its condition, and the columns that order its rows. */
export interface Part {
  readonly where: RawBuilder<boolean> | null;
  readonly by: readonly string[];
}

/**
 * What follows a position, as parts that follow one another in its order, each of which is a range of the index. With
 * one condition for all of them both databases read the index from its beginning. Rows that are equal in a column are
 * ordered by id alone, because MariaDB sorts them otherwise.
 */
export function partsAfter({ table, key, descending, after }: Position): Part[] {
  const all = [...new Set([key.column, "id"])];
  if (after === null) return [{ where: null, by: all }];
  const column = sql.ref(`${table}.${key.column}`);
  const id = sql.ref(`${table}.id`);
  const beyond = descending ? sql`<` : sql`>`;
  const later = sql<boolean>`${id} ${beyond} ${after.id}`;
  if (key.column === "id") return [{ where: later, by: all }];
  // Both databases order nulls before all values.
  if (after.key === null) {
    const tied = { where: sql<boolean>`${column} is null and ${later}`, by: ["id"] };
    return descending ? [tied] : [tied, { where: sql<boolean>`${column} is not null`, by: all }];
  }
  const tied = { where: sql<boolean>`${column} = ${after.key} and ${later}`, by: ["id"] };
  const further = { where: sql<boolean>`${column} ${beyond} ${after.key}`, by: all };
  const nulls = { where: sql<boolean>`${column} is null`, by: ["id"] };
  return descending && key.nullable ? [tied, further, nulls] : [tied, further];
}

export interface OrderedRead {
  readonly position: Position;
  /** Whether filters leave few of the rows: the database then chooses the index, otherwise it is that of the order. */
  readonly narrowed: boolean;
}

/** The statements that read what follows a position, in the order in which they are needed; without a limit. */
export function selectsAfter<DB, T extends keyof DB, O>(
  tx: Tx,
  select: SelectQueryBuilder<DB, T, O>,
  { position, narrowed }: OrderedRead,
): SelectQueryBuilder<DB, T, O & Ordered>[] {
  const { table, key, descending } = position;
  const named = select.select(sql.ref<SortValue>(`${table}.${key.column}`).as("order_key"));
  const from = narrowed ? named : dialectOf(tx).useIndex(named, table, key.index);
  return partsAfter(position).map(({ where, by }) => {
    const part = where ? from.where(where) : from;
    return by.reduce((query, name) => query.orderBy(sql.ref(`${table}.${name}`), descending ? "desc" : "asc"), part);
  }) as never;
}

/** At most `limit` rows after a position, in at most three statements. */
export async function readOrdered<DB, T extends keyof DB, O>(
  tx: Tx,
  select: SelectQueryBuilder<DB, T, O>,
  { limit, ...read }: OrderedRead & { readonly limit: number },
): Promise<(O & Ordered)[]> {
  const rows: (O & Ordered)[] = [];
  for (const one of selectsAfter(tx, select, read)) {
    if (rows.length === limit) break;
    rows.push(...((await one.limit(limit - rows.length).execute()) as (O & Ordered)[]));
  }
  return rows;
}
