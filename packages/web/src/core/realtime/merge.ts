import type { Page } from "@rollcall/server/contract/core";

export interface Versioned {
  readonly id: number;
  readonly version: number;
}

export type Change<T> = T & { readonly deleted: boolean };

/** A list as the cache keeps it, page by page. */
export interface Pages<Row> {
  readonly pages: readonly Page<Row>[];
  readonly pageParams: readonly unknown[];
}

/** What a page knows about the order and the filters of its list, so that it need not ask the server. */
export interface Placement<Row> {
  /** Left out where only the server knows the order. */
  compare?(a: Row, b: Row): number;
  /** Left out where nothing is filtered; null where only the server knows. */
  matches?(row: Row): boolean | null;
  /** Where only the server knows: false for a row that it hardly finds, for which it is not asked. */
  likely?(row: Row): boolean;
}

export interface Placed<Row> {
  /** The same object when nothing changed. */
  readonly data: Pages<Row>;
  /** A changed row may belong among those on screen: only the server knows. */
  readonly ask: boolean;
  /** How many match may have changed. */
  readonly recount: boolean;
}

/** The object with a newer change; the same object for an older one. */
export function mergeObject<T extends Versioned>(known: T, { deleted: _deleted, ...change }: Change<T>): T {
  return change.version > known.version ? { ...known, ...change } : known;
}

interface Entry<Row> {
  readonly row: Row;
  readonly page: number;
}

/** A list with its changes, while they are applied. */
class Placing<Row extends Versioned> {
  readonly #placement: Placement<Row>;
  readonly #entries: Entry<Row>[];
  readonly #more: boolean;
  changed = false;
  added = 0;
  ask = false;
  recount = false;

  constructor({ pages }: Pages<Row>, placement: Placement<Row>) {
    this.#placement = placement;
    this.#entries = pages.flatMap((page, index) => page.items.map((row) => ({ row, page: index })));
    this.#more = (pages.at(-1)?.next ?? null) !== null;
  }

  get entries(): readonly Entry<Row>[] {
    return this.#entries;
  }

  apply(change: Change<Row>): void {
    const index = this.#entries.findIndex(({ row }) => row.id === change.id);
    const known = this.#entries[index];
    if (known) this.#shown(index, known, change);
    else this.#unseen(change);
  }

  #shown(index: number, { row, page }: Entry<Row>, change: Change<Row>): void {
    const next = mergeObject(row, change);
    if (next === row) return;
    this.changed = true;
    const { compare, matches, likely } = this.#placement;
    const fits = matches ? matches(next) : true;
    // It may be here for what no row shows, so the server decides whether it goes.
    if (fits === null && likely && likely(row) && !likely(next)) this.ask = true;
    if (change.deleted || fits === false) {
      this.#entries.splice(index, 1);
      this.added -= 1;
    } else if (compare && compare(row, next) !== 0) {
      this.#entries.splice(index, 1);
      this.#insert(next, compare);
    } else this.#entries[index] = { row: next, page };
  }

  #unseen({ deleted, ...rest }: Change<Row>): void {
    const row = rest as unknown as Row;
    const { compare, matches, likely } = this.#placement;
    const fits = matches ? matches(row) : true;
    // Whether it was counted before is not known where rows are filtered.
    if (matches && fits !== true) this.recount = true;
    if (deleted) {
      if (fits === true) this.added -= 1;
      return;
    }
    if (fits === false || (fits === null && likely?.(row) === false)) return;
    if (fits === null || !compare) {
      this.ask = true;
      return;
    }
    if (row.version === 1) this.added += 1;
    else if (matches) this.recount = true;
    this.#insert(row, compare);
  }

  /** Behind the last row that was read, it is read with the next page. */
  #insert(row: Row, compare: (a: Row, b: Row) => number): void {
    const found = this.#entries.findIndex((entry) => compare(row, entry.row) < 0);
    if (found < 0 && this.#more) return;
    const at = found < 0 ? this.#entries.length : found;
    const page = this.#entries[at]?.page ?? this.#entries.at(-1)?.page ?? 0;
    this.#entries.splice(at, 0, { row, page });
    this.changed = true;
  }
}

/**
 * The list with changed rows merged and moved to their place. Rows that arrived with the list already are left as they
 * are. `counted`: the total holds these changes already.
 */
export function place<Row extends Versioned>(
  data: Pages<Row>,
  changes: readonly Change<Row>[],
  placement: Placement<Row>,
  counted = false,
): Placed<Row> {
  const placing = new Placing(data, placement);
  for (const change of changes) placing.apply(change);
  const { entries, ask, recount } = placing;
  const added = counted ? 0 : placing.added;
  if (!placing.changed && added === 0) return { data, ask, recount: recount && !counted };
  const pages = data.pages.map((page, index) => ({
    ...page,
    items: entries.filter((entry) => entry.page === index).map(({ row }) => row),
    total: page.totalCapped ? page.total : Math.max(0, page.total + added),
  }));
  return { data: { ...data, pages }, ask, recount: recount && !counted };
}

export function isPages(data: unknown): data is Pages<Versioned> {
  return typeof data === "object" && data !== null && Array.isArray((data as { pages?: unknown }).pages);
}

export function isVersioned(data: unknown): data is Versioned {
  return typeof data === "object" && data !== null && "id" in data && "version" in data;
}

export function hasItems(data: unknown): data is { readonly items: readonly unknown[] } {
  return typeof data === "object" && data !== null && Array.isArray((data as { items?: unknown }).items);
}

/** Whether the kept answer has an object with this id, as itself, on a page, or among its items. */
export function holds(data: unknown, id: number): boolean {
  if (isPages(data)) return data.pages.some((page) => page.items.some((item) => item.id === id));
  if (typeof data !== "object" || data === null) return false;
  const { items } = data as { items?: unknown };
  if (Array.isArray(items)) return items.some((item: { id?: unknown }) => item.id === id);
  return (data as { id?: unknown }).id === id;
}
