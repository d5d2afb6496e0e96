import type { Translate } from "#core/i18n.ts";
import type { Language } from "#core/preferences.ts";
import { absoluteTime, calendarDay, localeOf, playedTime } from "#core/time.ts";
import { isTime, type PlotDefinition, type PlotPoint, type PlotSeries, type PlotUnit, type ResolvedPlot } from "./plot.types.ts";

/** A Monday, and its seven days. */
const monday = Date.UTC(2024, 0, 1);
const dayMs = 24 * 60 * 60_000;

const lengths = [
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
  { unit: "second", ms: 1000 },
  { unit: "millisecond", ms: 1 },
] as const;

const HOUR = 3_600_000;
/** Lower averages would be written as nothing with one digit. */
const LEAST = 0.05;

export function writeValue(value: number, unit: PlotUnit, language: Language): string {
  const locale = localeOf(language);
  if (unit === "count") return new Intl.NumberFormat(locale).format(value);
  if (unit === "average") return new Intl.NumberFormat(locale, { maximumFractionDigits: value < LEAST ? 2 : 1 }).format(value);
  if (unit === "worked") return value % HOUR === 0 ? `${value / HOUR} h` : playedTime(value / 1000);
  const size = lengths.find(({ ms }) => Math.abs(value) >= ms) ?? lengths[lengths.length - 1]!;
  const style = { style: "unit", unit: size.unit, unitDisplay: "short", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, style).format(value / size.ms);
}

/** Day and month, as on an axis. */
export function shortDay(instant: number, language: Language, timeZone?: string): string {
  const zone = timeZone === undefined ? {} : { timeZone };
  return new Intl.DateTimeFormat(localeOf(language), { day: "numeric", month: "numeric", ...zone }).format(instant);
}

function dayPoint(day: string, language: Language): PlotPoint {
  const instant = Date.parse(`${day}T00:00:00Z`);
  const weekday = new Intl.DateTimeFormat(localeOf(language), { weekday: "short", timeZone: "UTC" }).format(instant);
  return { label: `${weekday} ${calendarDay(day, language)}`, short: shortDay(instant, language, "UTC") };
}

function weekdays(language: Language): PlotPoint[] {
  const name = (weekday: "short" | "long", instant: number) =>
    new Intl.DateTimeFormat(localeOf(language), { weekday, timeZone: "UTC" }).format(instant);
  return Array.from({ length: 7 }, (_, index) => {
    const instant = monday + index * dayMs;
    return { label: name("long", instant), short: name("short", instant) };
  });
}

/** "14:00–15:00", and "14" on the axis. */
function hoursOfDay(): PlotPoint[] {
  const two = (value: number) => String(value).padStart(2, "0");
  return Array.from({ length: 24 }, (_, hour) => ({ label: `${two(hour)}:00–${two(hour + 1)}:00`, short: String(hour) }));
}

const none = { marks: null, times: [], range: [0, 0], rows: [], columns: [], noteOf: () => null } as const;

export function resolvePlot<D>(definition: PlotDefinition<D>, data: D, t: Translate, language: Language): ResolvedPlot {
  const { kind, unit, open } = definition;
  const links: ResolvedPlot["links"] = (index) => open?.(data, index, t) ?? [];
  if (kind === "line") {
    const times = definition.x(data);
    const points = times.map((at) => ({ label: absoluteTime(at, language), short: shortDay(at, language) }));
    const marks = definition.marks?.(data, t) ?? null;
    const axis = t("web.plot.axis.time");
    return {
      ...none,
      kind,
      unit,
      axis,
      links,
      points,
      times,
      marks,
      range: definition.range(data),
      series: definition.series(data, t),
    };
  }
  if (kind === "bars") {
    const { x } = definition;
    const named = "names" in x ? x.names(data, t).map((name) => ({ label: name, short: name })) : null;
    const points = named ?? ("days" in x ? x.days(data) : []).map((day) => dayPoint(day, language));
    const axis = t(named ? "web.plot.axis.name" : "web.plot.axis.day");
    return { ...none, kind, unit, axis, links, points, series: definition.series(data, t) };
  }
  const [rows, columns] = [weekdays(language), hoursOfDay()];
  const hours = definition.hours(data);
  const points = rows.flatMap((row) => columns.map((column) => ({ label: `${row.label} ${column.label}`, short: column.short })));
  const series = [
    { label: t(definition.title), values: rows.flatMap((_, row) => columns.map((_c, at) => hours[row]?.[at] ?? null)) },
  ];
  const noteOf: ResolvedPlot["noteOf"] = (index) => definition.note?.(data, index, t) ?? null;
  return { ...none, kind, unit, axis: t("web.plot.axis.weekday"), links, points, rows, columns, series, noteOf };
}

/** Whether there is nothing to draw: no point, or only zeros of something counted. */
export function isEmpty({ points, series, unit }: ResolvedPlot): boolean {
  return points.length === 0 || (!isTime(unit) && series.every(({ values }) => values.every((value) => !value)));
}

/** All series of a point together; null where none has a value. */
export function totalAt(series: readonly PlotSeries[], index: number): number | null {
  return series.reduce<number | null>((sum, { values }) => {
    const value = values[index] ?? null;
    return value === null ? sum : (sum ?? 0) + value;
  }, null);
}

/** A point with its values, as it is announced and shown below the plot. */
export function describePoint(plot: ResolvedPlot, index: number, t: Translate, language: Language): string {
  const { points, series, marks, unit, noteOf } = plot;
  const write = (value: number) => writeValue(value, unit, language);
  const known = series.flatMap(({ label, values }) => {
    const value = values[index] ?? null;
    const counts = unit === "count" && series.length > 1;
    return value === null || (counts && value === 0) ? [] : [series.length > 1 ? `${label} ${write(value)}` : write(value)];
  });
  const marked = marks?.at[index] === true ? [marks.label] : [];
  const total = totalAt(series, index);
  const sum = unit === "count" && known.length > 1 && total !== null ? [t("web.plot.total", { value: write(total) })] : [];
  const all = [...marked, ...sum, ...known];
  const empty = unit === "count" ? write(0) : t("web.plot.unknown");
  const note = noteOf(index);
  return `${points[index]?.label ?? ""}: ${all.length === 0 ? empty : all.join(", ")}${note === null ? "" : ` (${note})`}`;
}

function indexOfHighest(values: readonly (number | null)[]): number {
  return values.reduce<number>((best, value, index) => ((value ?? -1) > (values[best] ?? -1) ? index : best), 0);
}

/** What the plot shows, in a sentence or two. */
export function summaryOf(plot: ResolvedPlot, t: Translate, language: Language): string {
  const { points, series, marks, unit } = plot;
  const write = (value: number | null) => (value === null ? t("web.plot.unknown") : writeValue(value, unit, language));
  const marked = marks ? ` ${t("web.plot.marked", { label: marks.label, count: marks.at.filter(Boolean).length })}` : "";
  if (unit === "average") {
    const values = points.map((_, index) => totalAt(series, index));
    const best = indexOfHighest(values);
    // Of hours the values are averages; of a month each is one number.
    const key = plot.kind === "bars" ? "web.plot.highest" : "web.plot.averaged";
    return t(key, { label: points[best]?.label ?? "", value: write(values[best] ?? null) }) + marked;
  }
  if (unit === "count") {
    const totals = points.map((_, index) => totalAt(series, index));
    const best = indexOfHighest(totals);
    const total = totals.reduce<number>((sum, value) => sum + (value ?? 0), 0);
    return (
      t("web.plot.counted", { total: write(total), label: points[best]?.label ?? "", value: write(totals[best] ?? 0) }) + marked
    );
  }
  const sentences = series.map(({ label, values }) => {
    const best = indexOfHighest(values);
    return t("web.plot.measured", {
      label,
      last: write(values.at(-1) ?? null),
      value: write(values[best] ?? null),
      at: points[best]?.label ?? "",
    });
  });
  return sentences.join(" ") + marked;
}
