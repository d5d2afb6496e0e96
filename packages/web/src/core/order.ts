import { foldLetters } from "@rollcall/server/contract/core";

/** As the server keeps texts that a list is ordered by. */
const keyOf = (text: string) => foldLetters(text).trim();

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Orders rows by this text, and then by id. */
export function byText<Row extends { readonly id: number }>(text: (row: Row) => string) {
  // A row that changed is another object.
  const keys = new WeakMap<Row, string>();
  const keyOfRow = (row: Row) => {
    const known = keys.get(row);
    if (known !== undefined) return known;
    const key = keyOf(text(row));
    keys.set(row, key);
    return key;
  };
  return (a: Row, b: Row): number => compareTexts(keyOfRow(a), keyOfRow(b)) || a.id - b.id;
}

/** Orders rows by this number, and then by id. */
export function byNumber<Row extends { readonly id: number }>(number: (row: Row) => number) {
  return (a: Row, b: Row): number => number(a) - number(b) || a.id - b.id;
}

/** How rows are compared, by the names of the server's orders; without those that only the server knows. */
export type Comparisons<Row> = Readonly<Record<string, (a: Row, b: Row) => number>>;

/** The comparison of an order, for a live list: nothing where only the server knows the order. */
export function comparedBy<Row>(compares: Comparisons<Row>, order: string | undefined): { compare?(a: Row, b: Row): number } {
  const compare = order === undefined ? undefined : compares[order.replace(/^-/, "")];
  if (!compare) return {};
  return { compare: order!.startsWith("-") ? (a, b) => compare(b, a) : compare };
}

/** Most words that the server finds begin or end like the typed one. */
const LETTERS = 3;

/**
 * Whether the server probably finds a row with these texts by this search. It also finds by wrong letters, short ids and
 * what the row does not show, so that a row that it found is never taken out for this.
 */
export function mayMatch(search: string, texts: readonly (string | null | undefined)[]): boolean {
  const all = texts.map((text) => keyOf(text ?? "")).join(" ");
  return search.split(/\s+/).some((word) => {
    const key = keyOf(word);
    return key !== "" && (all.includes(key.slice(0, LETTERS)) || all.includes(key.slice(-LETTERS)));
  });
}
