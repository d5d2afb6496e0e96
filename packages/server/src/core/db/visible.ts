import { type RawBuilder, sql } from "kysely";
import { readOrder } from "../contract/orders.ts";
import type { Tx } from "../ports/database.ts";
import { type OrderedList, partsAfter, type Position, type SortValue } from "./lists.ts";
import { dialectOf, queries } from "./queries.ts";

/** Who sees which rows of a list, as conditions on ids. */
export interface Visible {
  /** Looked up row by row; `id` is the name of a column. */
  each(id: string): RawBuilder<boolean>;
  /** The same from sets of ids that are read once, whatever the number of rows. */
  among(tx: Tx, id: string): RawBuilder<boolean>;
  /** Selects as `id` every row that is visible, some more than once, and others that a block hides. */
  reached(tx: Tx): RawBuilder<unknown>;
}

export interface VisibleRead {
  readonly list: OrderedList;
  readonly position: Position;
  /** Values of filters that the list declares. */
  readonly filters: Readonly<Record<string, string | number>>;
  /** A further condition, on the columns of the table by its name. */
  readonly where?: RawBuilder<boolean> | undefined;
  /** Null: all rows. */
  readonly visible: Visible | null;
  /** Below this number of rows a side is narrow. For tests. */
  readonly narrow?: number | undefined;
}

export interface VisibleRow {
  readonly id: number;
  readonly order_key: SortValue;
}

/** Up to so many rows are looked up, or sorted, one by one. */
const mostLookedUp = 2000;
/** Of two wide sides, first so many rows for each one of the page. */
const firstLookUps = 8;

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`${sql.join(conditions, sql` and `)}`;

/** What follows the position, as one condition; MariaDB finds its beginning in an index by the column alone. */
function after({ table, key, descending, after: place }: Position): RawBuilder<boolean>[] {
  if (place === null) return [];
  const column = sql.ref(`${table}.${key.column}`);
  const id = sql.ref(`${table}.id`);
  const beyond = descending ? sql`<` : sql`>`;
  const later = sql<boolean>`${id} ${beyond} ${place.id}`;
  if (key.column === "id") return [later];
  if (place.key === null) return [descending ? sql`(${column} is null and ${later})` : sql`(${column} is not null or ${later})`];
  const tieOrBeyond = sql<boolean>`(${column} ${beyond} ${place.key} or ${later})`;
  if (descending && key.nullable) return [sql`(${column} is null or (${column} <= ${place.key} and ${tieOrBeyond}))`];
  return [sql`${column} ${beyond}= ${place.key}`, tieOrBeyond];
}

/** The statements about one list. Exported for `readVisible` and for tests of their plans. */
export class ListStatements {
  readonly #tx: Tx;
  readonly #read: VisibleRead;
  readonly #index: string;
  /** Conditions that the index answers. */
  readonly #ranged: readonly RawBuilder<unknown>[];
  /** Conditions on further columns. */
  readonly #rest: readonly RawBuilder<unknown>[];

  constructor(tx: Tx, read: VisibleRead) {
    const { list, position, filters, where } = read;
    const { name } = readOrder(position.order);
    const given = Object.entries(filters).map(([filter, value]) => {
      const declared = list.filters[filter];
      if (!declared) throw new Error(`the list of ${list.table.name} declares no filter ${filter}`);
      return { index: declared.indexes[name]!, is: sql`${this.#column(list, declared.column)} = ${value}` };
    });
    const [first, ...others] = given;
    this.#tx = tx;
    this.#read = read;
    this.#index = first?.index ?? position.key.index;
    this.#ranged = [...(list.live === null ? [] : [sql`${this.#column(list, list.live)} is null`]), ...(first ? [first.is] : [])];
    this.#rest = [...others.map(({ is }) => is), ...(where ? [where] : [])];
  }

  #column({ table }: OrderedList, name: string): RawBuilder<unknown> {
    return sql`${sql.ref(`${table.name}.${name}`)}`;
  }

  get #idName() {
    return `${this.#read.list.table.name}.id`;
  }

  get #id() {
    return sql.ref(this.#idName);
  }

  get #select() {
    return sql`select ${this.#id} as id, ${this.#column(this.#read.list, this.#read.position.key.column)} as order_key`;
  }

  #ordered(by: readonly string[]): RawBuilder<unknown> {
    const direction = this.#read.position.descending ? sql`desc` : sql`asc`;
    return sql`order by ${sql.join(by.map((name) => sql`${this.#column(this.#read.list, name)} ${direction}`))}`;
  }

  get #order() {
    return this.#ordered([...new Set([this.#read.position.key.column, "id"])]);
  }

  #from(index: string): RawBuilder<unknown> {
    return sql`from ${dialectOf(this.#tx).indexed(this.#read.list.table.name, index)}`;
  }

  /** What follows the position in the index, visible or not, in parts that follow one another. */
  #parts(position: Position, more: readonly RawBuilder<unknown>[], limit: number): RawBuilder<VisibleRow>[] {
    return partsAfter(position).map(({ where, by }) => {
      const conditions = all([...this.#ranged, ...(where ? [where] : []), ...more]);
      return sql`${this.#select} ${this.#from(this.#index)} where ${conditions} ${this.#ordered(by)} limit ${sql.lit(limit)}`;
    });
  }

  /** The first `limit` rows of each part, with its number. */
  #scanned(position: Position, limit: number): RawBuilder<unknown> {
    const parts = this.#parts(position, [], limit).map(
      (rows, at) => sql`select id, order_key, ${sql.lit(at)} as part from (${rows}) ${sql.ref(`part${at}`)}`,
    );
    return sql.join(parts, sql` union all `);
  }

  #scanOrder(position: Position): RawBuilder<unknown> {
    const direction = position.descending ? sql`desc` : sql`asc`;
    return sql`order by part, order_key ${direction}, id ${direction}`;
  }

  /** Of the first `scanned` rows behind the position, those that are visible. */
  #looked(position: Position, scanned: number): RawBuilder<unknown> {
    const { list, visible } = this.#read;
    const first = sql`select * from (${this.#scanned(position, scanned)}) parts ${this.#scanOrder(position)} limit ${sql.lit(scanned)}`;
    const joined = this.#rest.length > 0 ? sql`join ${sql.table(list.table.name)} on ${this.#id} = scanned.id` : sql``;
    const conditions = all([...this.#rest, ...(visible ? [visible.each("scanned.id")] : [])]);
    return sql`select scanned.id as id, scanned.order_key as order_key, scanned.part as part
      from (${first}) scanned ${joined} where ${conditions}`;
  }

  everything(position: Position, limit: number): RawBuilder<VisibleRow>[] {
    return this.#parts(position, this.#rest, limit);
  }

  lookedUp(limit: number, scanned: number): RawBuilder<VisibleRow> {
    const { position } = this.#read;
    const rows = sql`select id, order_key from (${this.#looked(position, scanned)}) looked`;
    return sql`${rows} ${this.#scanOrder(position)} limit ${sql.lit(limit)}`;
  }

  /** From the rows that the reader's grants reach, sorted. */
  reached(visible: Visible, position: Position): RawBuilder<unknown> {
    const { joinInOrder, indexed } = dialectOf(this.#tx);
    const granted = sql`(select distinct id from (${visible.reached(this.#tx)}) found) granted`;
    const table = indexed(this.#read.list.table.name, "PRIMARY");
    const conditions = all([...this.#ranged, ...this.#rest, ...after(position), visible.each(this.#idName)]);
    return sql`from ${granted} ${joinInOrder} ${table} on ${this.#id} = granted.id where ${conditions}`;
  }

  sorted(visible: Visible, limit: number): RawBuilder<VisibleRow> {
    return sql`${this.#select} ${this.reached(visible, this.#read.position)} ${this.#order} limit ${sql.lit(limit)}`;
  }

  /** From the index of the order, compared with the set of all rows that the reader sees. */
  compared(visible: Visible, limit: number): RawBuilder<VisibleRow> {
    const conditions = all([
      ...this.#ranged,
      ...after(this.#read.position),
      visible.among(this.#tx, this.#idName),
      ...this.#rest,
    ]);
    return sql`${this.#select} ${this.#from(this.#index)} where ${conditions} ${this.#order} limit ${sql.lit(limit)}`;
  }

  /** How many rows the grants reach, and how many the index has behind the position, both counted up to `cap`. */
  sides(visible: Visible, position: Position, cap: number): RawBuilder<{ granted: number; listed: number }> {
    const granted = sql`select count(*) from (${visible.reached(this.#tx)} limit ${sql.lit(cap)}) granted`;
    return sql`select (${granted}) as granted, (select count(*) from (${this.#scanned(position, cap)}) listed) as listed`;
  }

  countAll(position: Position, cap: number): RawBuilder<{ n: number }> {
    const conditions = all([...this.#ranged, ...this.#rest, ...after(position)]);
    return sql`select count(*) as n from (select 1 ${this.#from(this.#index)} where ${conditions} limit ${sql.lit(cap)}) listed`;
  }

  countReached(visible: Visible, position: Position): RawBuilder<{ n: number }> {
    return sql`select count(*) as n ${this.reached(visible, position)}`;
  }

  countLookedUp(position: Position, scanned: number): RawBuilder<{ n: number }> {
    return sql`select count(*) as n from (${this.#looked(position, scanned)}) looked`;
  }
}

async function rowsOf<Row>(tx: Tx, statement: RawBuilder<Row>): Promise<Row[]> {
  return (await statement.execute(queries(tx))).rows;
}

async function sidesOf(tx: Tx, statements: ListStatements, visible: Visible, position: Position, cap: number) {
  const [sides] = await rowsOf(tx, statements.sides(visible, position, cap));
  return { granted: Number(sides?.granted ?? 0), listed: Number(sides?.listed ?? 0) };
}

/**
 * At most `limit` rows after a position, in at most four statements. Where few rows follow it in the list, each of
 * them is looked up; where the grants of the reader reach few rows, these are sorted. Otherwise the next rows of the
 * list are looked up, more of them if the first ones promise to fill the page so, and if not, the index is compared
 * with the set of all that the reader sees: for many rows that takes a fraction of the time.
 */
export async function readVisible(tx: Tx, read: VisibleRead & { readonly limit: number }): Promise<VisibleRow[]> {
  const { visible, position, limit, narrow = mostLookedUp } = read;
  const statements = new ListStatements(tx, read);
  const shown = (rows: readonly VisibleRow[]) => rows.map(({ id, order_key }) => ({ id: Number(id), order_key }));
  if (visible === null) {
    const rows: VisibleRow[] = [];
    for (const part of statements.everything(position, limit)) if (rows.length < limit) rows.push(...(await rowsOf(tx, part)));
    return shown(rows.slice(0, limit));
  }
  const { granted, listed } = await sidesOf(tx, statements, visible, position, narrow + 1);
  if (granted === 0 || listed === 0) return [];
  if (granted <= narrow && granted < listed) return shown(await rowsOf(tx, statements.sorted(visible, limit)));
  const most = Math.max(narrow, 1);
  const first = Math.min(most, firstLookUps * limit);
  const rows = await rowsOf(tx, statements.lookedUp(limit, first));
  // Beyond `narrow` the number is not known.
  const complete = (scanned: number) => listed <= Math.min(scanned, narrow);
  if (rows.length === limit || complete(first)) return shown(rows);
  if (complete(most) || (rows.length / first) * most >= limit) {
    const further = await rowsOf(tx, statements.lookedUp(limit, most));
    if (further.length === limit || complete(most)) return shown(further);
  }
  return shown(await rowsOf(tx, statements.compared(visible, limit)));
}

/**
 * How many rows of the list are visible, in at most two statements. Where neither side is narrow only the first rows
 * of the list are counted, and there may be `more`.
 */
export async function countVisible(tx: Tx, read: VisibleRead, cap: number): Promise<{ count: number; more: boolean }> {
  const { visible, narrow = mostLookedUp } = read;
  const statements = new ListStatements(tx, read);
  const position = { ...read.position, after: null };
  const counted = async (statement: RawBuilder<{ n: number }>) => Number((await rowsOf(tx, statement))[0]?.n ?? 0);
  if (visible === null) {
    const count = await counted(statements.countAll(position, cap + 1));
    return { count: Math.min(count, cap), more: count > cap };
  }
  const { granted, listed } = await sidesOf(tx, statements, visible, position, narrow + 1);
  if (granted <= narrow) return { count: await counted(statements.countReached(visible, position)), more: false };
  return { count: await counted(statements.countLookedUp(position, Math.max(narrow, 1))), more: listed > narrow };
}
