import type { Language } from "#core/preferences.ts";

/** Calendar days are stored as `YYYY-MM-DD` and typed in other forms. */

/** A complete day `YYYY-MM-DD` that exists in the calendar. */
export function isDay(text: string | undefined): text is string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text ?? "");
  return match !== null && exists(Number(match[1]), Number(match[2]), Number(match[3]));
}

const DAY_FIRST = /^\s*(\d{1,2})[./\-\s]+(\d{1,2})[./\-\s]+(\d{4})\s*$/;
const YEAR_FIRST = /^\s*(\d{4})[./\-\s]+(\d{1,2})[./\-\s]+(\d{1,2})\s*$/;

/** `14.3.1985`, `14/03/1985` or `1985-03-14` as `1985-03-14`; null for anything else. The day comes before the month. */
export function parseDay(text: string): string | null {
  const dayFirst = DAY_FIRST.exec(text);
  const yearFirst = YEAR_FIRST.exec(text);
  const [year, month, day] = dayFirst
    ? [Number(dayFirst[3]), Number(dayFirst[2]), Number(dayFirst[1])]
    : yearFirst
      ? [Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3])]
      : [0, 0, 0];
  return exists(year, month, day) ? `${year}-${two(month)}-${two(day)}` : null;
}

/** True once the typed text is as long as a complete day, valid or not. */
export function looksComplete(text: string): boolean {
  return DAY_FIRST.test(text) || YEAR_FIRST.test(text) || text.trim().length === 10;
}

/** A day as it is typed in this language. */
export function writeDay(day: string, language: Language): string {
  const [year, month, date] = day.split("-");
  return [date, month, year].join(language === "de" ? "." : "/");
}

function exists(year: number, month: number, day: number): boolean {
  if (year < 1800 || year > 2999 || month < 1 || month > 12) return false;
  return day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
