/** Calendar days are stored as `YYYY-MM-DD`, and typed and shown in fields as the region writes them in numbers. */

/** A complete day `YYYY-MM-DD` that exists in the calendar. */
export function isDay(text: string | undefined): text is string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "");
  return match !== null && exists(Number(match[1]), Number(match[2]), Number(match[3]));
}

type Unit = "day" | "month" | "year";

interface DayForm {
  readonly order: readonly Unit[];
  readonly separator: string;
}

const isUnit = (type: string): type is Unit => type === "day" || type === "month" || type === "year";

function formOf(locale: string): DayForm {
  const format = new Intl.DateTimeFormat(locale, { timeZone: "UTC", year: "numeric", month: "2-digit", day: "2-digit" });
  const parts = format.formatToParts(Date.UTC(2000, 10, 22));
  const order = parts.map(({ type }) => type).filter(isUnit);
  const separator = parts.find(({ type, value }) => type === "literal" && value.trim() !== "")?.value.trim() ?? "/";
  return order.length === 3 ? { order, separator } : { order: ["day", "month", "year"], separator: "/" };
}

const YEAR_LAST = /^\s*(\d{1,2})[./\-\s]+(\d{1,2})[./\-\s]+(\d{4})\s*$/;
const YEAR_FIRST = /^\s*(\d{4})[./\-\s]+(\d{1,2})[./\-\s]+(\d{1,2})\s*$/;

/**
 * A day with its year last, in the order of the locale, or with its year first; null for anything else. With dots the
 * day comes first everywhere.
 */
export function parseDay(text: string, locale: string): string | null {
  const yearLast = YEAR_LAST.exec(text);
  const yearFirst = YEAR_FIRST.exec(text);
  if (!yearLast && !yearFirst) return null;
  const { order } = formOf(locale);
  const monthFirst = order.indexOf("month") < order.indexOf("day") && order[0] !== "year" && !text.includes(".");
  const [first, second] = [Number(yearLast?.[1]), Number(yearLast?.[2])];
  const year = Number(yearLast?.[3] ?? yearFirst?.[1]);
  const month = yearLast ? (monthFirst ? first : second) : Number(yearFirst?.[2]);
  const day = yearLast ? (monthFirst ? second : first) : Number(yearFirst?.[3]);
  return exists(year, month, day) ? `${year}-${two(month)}-${two(day)}` : null;
}

/** True once the typed text is as long as a complete day, valid or not. */
export function looksComplete(text: string): boolean {
  return YEAR_LAST.test(text) || YEAR_FIRST.test(text) || text.trim().length === 10;
}

function inOrder(parts: Readonly<Record<Unit, string>>, { order, separator }: DayForm): string {
  return order.map((unit) => parts[unit]).join(separator);
}

/** A day as it is typed in this locale. */
export function writeDay(stored: string, locale: string): string {
  const [year = "", month = "", day = ""] = stored.split("-");
  return inOrder({ year, month, day }, formOf(locale));
}

/** A day as this locale writes it, in which nobody takes the day for the month. */
export const exampleDay = (locale: string): string => writeDay("2026-12-31", locale);

/** The shape of a day in this locale, from the letters of the language for day, month and year: `DD MM YYYY`. */
export function dayHint(letters: string, locale: string): string {
  const [day = "", month = "", year = ""] = letters.split(" ");
  return inOrder({ year, month, day }, formOf(locale));
}

function exists(year: number, month: number, day: number): boolean {
  if (!(year >= 1800 && year <= 2999 && month >= 1 && month <= 12)) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
