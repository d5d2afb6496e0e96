import type { Language } from "#core/preferences.ts";

const STEPS: readonly [unit: Intl.RelativeTimeFormatUnit, milliseconds: number][] = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["week", 604_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/** Where the browser names no region. English dates have the month in letters, so that day and month cannot be confused. */
const LOCALES: Record<Language, string> = { en: "en-GB", de: "de-DE" };

const JUST_NOW: Record<Language, string> = { en: "just now", de: "gerade eben" };

const formats = new Map<string, unknown>();
let instanceLocale: string | null = null;

/** The operators' locale for numbers and dates; empty follows the viewer's language. */
export function setInstanceLocale(tag: string): void {
  const next = tag === "" ? null : tag;
  if (next !== instanceLocale) formats.clear();
  instanceLocale = next;
}

let communityZone: string | null = null;

/** The zone that calendar days are those of, whatever that of the viewer. */
export function setCommunityZone(zone: string): void {
  communityZone = zone;
}

/** The calendar day of an instant in the zone of the community; in the viewer's until that is known. */
export function dayAt(instant: number): string {
  const zone = communityZone === null ? {} : { timeZone: communityZone };
  const parts = new Intl.DateTimeFormat("en-CA", { ...zone, year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(
    instant,
  );
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

let browserLocales: readonly string[] = [];

/** The languages of the browser with their regions, the preferred one first. */
export function setBrowserLocales(tags: readonly string[]): void {
  browserLocales = tags;
  formats.clear();
}

/** The locale of numbers and dates: the operators', else the language in the region of the browser. */
export const localeOf = (language: Language) =>
  instanceLocale ?? browserLocales.find((tag) => tag.startsWith(`${language}-`)) ?? LOCALES[language];

function cached<T>(key: string, make: () => T): T {
  if (!formats.has(key)) formats.set(key, make());
  return formats.get(key) as T;
}

/** "3 minutes ago", "in 2 hours"; under a minute "just now", or "now" ahead. */
export function relativeTime(instant: number, now: number, language: Language): string {
  const format = cached(`relative ${language}`, () => new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" }));
  const distance = instant - now;
  for (const [unit, size] of STEPS) {
    if (Math.abs(distance) >= size) return format.format(Math.trunc(distance / size), unit);
  }
  return distance > 0 ? format.format(0, "second") : JUST_NOW[language];
}

/** A length of time in its largest whole unit: "6 hours", "90 seconds". */
export function lengthOf(milliseconds: number, language: Language): string {
  const [unit, size] = STEPS.find(([, each]) => milliseconds >= each && milliseconds % each === 0) ?? ["second" as const, 1000];
  return cached(
    `length ${unit} ${language}`,
    () => new Intl.NumberFormat(localeOf(language), { style: "unit", unit, unitDisplay: "long" }),
  ).format(milliseconds / size);
}

/** Date and time in the viewer's zone. */
export function absoluteTime(instant: number, language: Language): string {
  return cached(
    `absolute ${language}`,
    () => new Intl.DateTimeFormat(localeOf(language), { dateStyle: "medium", timeStyle: "medium" }),
  ).format(instant);
}

export function clockTime(instant: number, language: Language): string {
  return cached(`clock ${language}`, () => new Intl.DateTimeFormat(localeOf(language), { timeStyle: "short" })).format(instant);
}

/** 0 is Sunday. */
export function weekdayName(weekday: number, language: Language): string {
  const sunday = Date.UTC(2026, 0, 4);
  const format = cached(`weekday ${language}`, () => new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }));
  return format.format(sunday + weekday * 86_400_000);
}

/** A calendar day `YYYY-MM-DD` as the language writes it; anything else is returned unchanged. */
export function calendarDay(day: string, language: Language): string {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return day;
  const instant = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]));
  const format = cached(
    `day ${language}`,
    () =>
      new Intl.DateTimeFormat(localeOf(language), {
        timeZone: "UTC",
        year: "numeric",
        ...(language === "en" ? ({ month: "short", day: "numeric" } as const) : ({ month: "2-digit", day: "2-digit" } as const)),
      }),
  );
  return format.format(instant);
}

/** A month `YYYY-MM` with its year, short. */
export function calendarMonth(month: string, language: Language): string {
  const format = cached(
    `month ${language}`,
    () => new Intl.DateTimeFormat(localeOf(language), { timeZone: "UTC", month: "short", year: "numeric" }),
  );
  return format.format(Date.parse(`${month}-01T00:00:00Z`));
}

/** A text with calendar days in it, each as the language writes it. */
export const writtenDays = (text: string, language: Language): string =>
  text.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (day) => calendarDay(day, language));

/** Milliseconds as "12 s", "3 min", "2 h". */
export function shortAge(age: number): string {
  const seconds = Math.max(0, Math.floor(age / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** A length of time in seconds to the second: "2 h 5 min 7 s". */
export function exactLength(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  const units = ["h", "min", "s"];
  const first = parts.findIndex((part) => part > 0);
  return parts.flatMap((part, i) => (i >= (first === -1 ? 2 : first) ? [`${part} ${units[i]}`] : [])).join(" ");
}

/** Playing time in seconds as hours and minutes. */
export function playedTime(seconds: number): string {
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}
