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

/** Formats instants (milliseconds UTC) as ISO 8601 with the offset of a zone: `2026-11-23T15:04:05.000+01:00`. */
export function instantsIn(zone: string): (instant: number) => string {
  const format = new Intl.DateTimeFormat("en", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    timeZoneName: "longOffset",
  });
  return (instant) => {
    const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    const day = `${parts["year"]!.padStart(4, "0")}-${parts["month"]}-${parts["day"]}`;
    const time = `${parts["hour"]}:${parts["minute"]}:${parts["second"]}.${parts["fractionalSecond"]}`;
    // Whether UTC is "GMT" or "GMT+00:00" depends on the version of ICU.
    const offset = parts["timeZoneName"]!.replace("GMT", "").replace("+00:00", "");
    return `${day}T${time}${offset === "" ? "Z" : offset}`;
  };
}
