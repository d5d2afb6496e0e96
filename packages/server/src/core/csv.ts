/** The start of a formula, also in full-width characters and behind characters that a spreadsheet does not show. */
const formula = /^(?:[\t\r\n]|[\s\u200B-\u200F\u2060]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/;

/** The same behind what may end a cell within its quotes: in most of Europe, Excel separates by semicolons. */
const formulaInside = /([;\t\r\n][ "\u200B-\u200F\u2060]*)(?=[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;

/** Without it, Excel reads the file in the code page of the computer. */
export const byteOrderMark = "\u{FEFF}";

function withoutFormulas(text: string): string {
  const start = formula.exec(text)?.[0] ?? "";
  const rest = text.slice(start.length).replaceAll(formulaInside, "$1'");
  return start === "" ? rest : `'${start}${rest}`;
}

/** A quoted cell (RFC 4180) that no spreadsheet reads as a formula. */
export function csvCell(value: string | number | null): string {
  const safe = typeof value === "string" ? withoutFormulas(value) : String(value ?? "");
  return `"${safe.replaceAll('"', '""')}"`;
}

export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}
