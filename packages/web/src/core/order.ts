/** As the server keeps texts that a list is ordered by: without accents and case. */
function keyOf(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase().trim();
}

const compareTexts = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Orders rows by this text, and then by id. */
export function byText<Row extends { readonly id: number }>(text: (row: Row) => string) {
  return (a: Row, b: Row): number => compareTexts(keyOf(text(a)), keyOf(text(b))) || a.id - b.id;
}

/** Letters of a word that have to occur for the server to find it, which forgives errors behind them. */
const LETTERS = 3;

/** Whether the server may find a row with these texts by this search: false only where it certainly does not. */
export function mayMatch(search: string, texts: readonly (string | null | undefined)[]): boolean {
  const all = texts.map((text) => keyOf(text ?? "")).join(" ");
  return search.split(/\s+/).some((word) => {
    const key = keyOf(word);
    return key !== "" && (all.includes(key.slice(0, LETTERS)) || all.includes(key.slice(-LETTERS)));
  });
}
