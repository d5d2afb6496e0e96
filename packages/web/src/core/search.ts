import { foldLetters } from "@rollcall/server/contract/core";

/** The query part of an address as plain text fields: no quotes, no JSON, nothing for empty ones. */

export type Search = Record<string, string>;

export function parseSearch(text: string): Search {
  const found: Search = {};
  for (const [name, value] of new URLSearchParams(text)) if (value !== "") found[name] = value;
  return found;
}

export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    if (value !== undefined && value !== null && value !== "") params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** Keeps the named fields, cut to a length that the server accepts. */
export function pickSearch<const K extends string>(
  search: Record<string, unknown>,
  fields: Readonly<Record<K, number>>,
): { [P in K]?: string } {
  const kept: { [P in K]?: string } = {};
  for (const name of Object.keys(fields) as K[]) {
    const value = search[name];
    const text = typeof value === "string" || typeof value === "number" ? String(value).slice(0, fields[name]) : "";
    if (text !== "") kept[name] = text;
  }
  return kept;
}

/** What the address of a list holds besides its filters. */
export interface ListAddress {
  /** Index of the first visible row. */
  readonly top?: string;
  /** Name of an order, after a minus where it is descending; the list's own order where it is left out. */
  readonly order?: string;
  /** Columns that are hidden here, whatever the account chose; `-` for none. */
  readonly hide?: string;
}

const HIDE = /^(?:-|\w+(?:,\w+)*)$/;

/** `pickSearch` for the address of a list, with its position, its columns and one of the `orders` that the server offers. */
export function pickListSearch<const K extends string>(
  search: Record<string, unknown>,
  fields: Readonly<Record<K, number>>,
  orders: readonly string[] = [],
): { [P in K]?: string } & ListAddress {
  const { top, order, hide } = pickSearch(search, { top: 6, order: 40, hide: 100 });
  return {
    ...pickSearch(search, fields),
    ...(order !== undefined && orders.includes(order.replace(/^-/, "")) ? { order } : {}),
    ...(hide !== undefined && HIDE.test(hide) ? { hide } : {}),
    ...(top !== undefined && /^[1-9]\d*$/.test(top) ? { top } : {}),
  };
}

/** The address of a list without its position: what is saved as a view. */
export function viewOf<S extends ListAddress>({ top: _top, ...view }: S): Omit<S, "top"> {
  return view;
}

/** What the server is asked for: the filters and the order. */
export function filtersOf<S extends ListAddress>({ top: _top, hide: _hide, ...asked }: S): Omit<S, "top" | "hide"> {
  return asked;
}

/** The filters alone. */
export function onlyFilters<S extends ListAddress>({
  top: _top,
  hide: _hide,
  order: _order,
  ...filters
}: S): Omit<S, keyof ListAddress> {
  return filters;
}

export function isFiltered(search: ListAddress): boolean {
  return Object.keys(onlyFilters(search)).length > 0;
}

/** Whether all words of a search are in these texts, without accents and case. */
export function hasWords(search: string, texts: readonly (string | null | undefined)[]): boolean {
  const all = foldLetters(texts.filter(Boolean).join(" "));
  return foldLetters(search)
    .split(/\s+/)
    .every((word) => all.includes(word));
}
