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

/** `pickSearch` for the address of a list, with `top`: the index of its first visible row. */
export function pickListSearch<const K extends string>(
  search: Record<string, unknown>,
  fields: Readonly<Record<K, number>>,
): { [P in K]?: string } & { top?: string } {
  const { top } = pickSearch(search, { top: 6 });
  return { ...pickSearch(search, fields), ...(top !== undefined && /^[1-9]\d*$/.test(top) ? { top } : {}) };
}

/** The address of a list without its position. */
export function filtersOf<S extends { readonly top?: string }>({ top: _top, ...filters }: S): Omit<S, "top"> {
  return filters;
}

export function isFiltered(search: { readonly top?: string }): boolean {
  return Object.keys(filtersOf(search)).length > 0;
}
