import { describe, expect, test } from "vitest";
import i18next from "i18next";
import de from "#core/text/frame.de.json" with { type: "json" };
import en from "#core/text/frame.en.json" with { type: "json" };
import { describePoint, isEmpty, resolvePlot, summaryOf, writeValue } from "./plot.resolve.ts";
import { definePlot } from "./plot.types.ts";

const texts = i18next.createInstance();
await texts.init({
  lng: "en",
  resources: { en: { translation: en }, de: { translation: de } },
  interpolation: { escapeValue: false },
});
const t = { en: texts.getFixedT("en"), de: texts.getFixedT("de") };

interface Days {
  readonly days: readonly string[];
  readonly red: readonly number[];
  readonly blue: readonly number[];
}

const bars = definePlot<Days>({
  kind: "bars",
  title: "x.title",
  empty: "x.empty",
  unit: "count",
  x: { days: ({ days }) => days },
  series: ({ red, blue }) => [
    { label: "Red", values: red },
    { label: "Blue", values: blue },
  ],
});
const data: Days = { days: ["2026-03-28", "2026-03-29"], red: [1, 1200], blue: [0, 34] };
const noDays: Days = { days: ["2026-03-28"], red: [0], blue: [0] };

const line = definePlot<readonly (number | null)[]>({
  kind: "line",
  title: "x.title",
  empty: "x.empty",
  unit: "milliseconds",
  x: (values) => values.map((_, index) => Date.UTC(2026, 2, 1 + index)),
  range: () => [0, 1],
  series: (values) => [{ label: "Duration", values }],
  marks: (values) => ({ label: "Failed", at: values.map((value) => value === null) }),
});

const heat = definePlot<number[][]>({ kind: "heat", title: "x.title", empty: "x.empty", unit: "count", hours: (rows) => rows });

test.each([
  [1234567, "count", "en", "1,234,567"],
  [1234567, "count", "de", "1.234.567"],
  [0, "milliseconds", "en", "0 ms"],
  [240, "milliseconds", "en", "240 ms"],
  [1250, "milliseconds", "de", "1,3 Sek."],
  [90_000, "milliseconds", "de", "1,5 Min."],
  [7_200_000, "milliseconds", "de", "2 Std."],
  [0, "worked", "en", "0 h"],
  [14_400_000, "worked", "de", "4 h"],
  [42_600_000, "worked", "de", "11 h 50 min"],
  [1.254, "average", "de", "1,3"],
  [0.042, "average", "en", "0.04"],
] as const)("%i %s in %s is %s", (value, unit, language, written) =>
  expect(writeValue(value, unit, language).replaceAll("\u00a0", " ")).toBe(written),
);

describe("a plot of bars", () => {
  const plot = resolvePlot(bars, data, t.en, "en");
  test("names a point with its sum and its series, in the viewer's language", () => {
    expect(describePoint(plot, 1, t.en, "en")).toBe("Sun 29 Mar 2026: 1,234 in total, Red 1,200, Blue 34");
    expect(describePoint(resolvePlot(bars, data, t.de, "de"), 1, t.de, "de")).toBe(
      "So 29.03.2026: insgesamt 1.234, Red 1.200, Blue 34",
    );
  });
  test("leaves out series that count nothing", () => expect(describePoint(plot, 0, t.en, "en")).toBe("Sat 28 Mar 2026: Red 1"));
  test("is summed up", () => expect(summaryOf(plot, t.en, "en")).toBe("1,235 in total. Most: Sun 29 Mar 2026, 1,234."));
  test("names the highest of numbers that have no sum", () => {
    const people = resolvePlot({ ...bars, unit: "average" }, data, t.en, "en");
    expect(summaryOf(people, t.en, "en")).toBe("Most: 1,234 in Sun 29 Mar 2026.");
  });
  test("is empty when nothing is counted", () => {
    expect([isEmpty(plot), isEmpty(resolvePlot(bars, noDays, t.en, "en"))]).toEqual([false, true]);
    expect(describePoint(resolvePlot(bars, noDays, t.en, "en"), 0, t.en, "en")).toBe("Sat 28 Mar 2026: 0");
  });
});

describe("a plot of lines", () => {
  const plot = resolvePlot(line, [100, 300, null], t.en, "en");
  test("says what failed, and which value is not known", () => {
    expect(describePoint(plot, 1, t.en, "en")).toMatch(/^\d+ \w+ 2026, [\d:]+: 300 ms$/);
    expect(describePoint(plot, 2, t.en, "en")).toMatch(/: Failed$/);
  });
  test("is summed up with its last and highest value", () =>
    expect(summaryOf(plot, t.en, "en")).toMatch(/^Duration: latest not known; highest 300 ms \(.*2026.*\)\. Failed: 1\.$/));
  test("is empty without points only", () => {
    expect([isEmpty(resolvePlot(line, [0], t.en, "en")), isEmpty(resolvePlot(line, [], t.en, "en"))]).toEqual([false, true]);
  });
});

test("a heat map has a point for each hour of each weekday, from Monday", () => {
  const rows = Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_h, hour) => (day === 6 && hour === 20 ? 12 : 0)),
  );
  const plot = resolvePlot(heat, rows, t.de, "de");
  expect([plot.points.length, plot.rows.length, plot.columns.length]).toEqual([168, 7, 24]);
  expect(describePoint(plot, 6 * 24 + 20, t.de, "de")).toBe("Sonntag 20:00–21:00: 12");
  expect(describePoint(plot, 0, t.de, "de")).toBe("Montag 00:00–01:00: 0");
  expect(summaryOf(plot, t.de, "de")).toBe("Insgesamt 12. Am meisten: Sonntag 20:00–21:00, 12.");
});

test("a cell of a heat map says what else is known of it", () => {
  const noted = definePlot<number[][]>({
    ...{ kind: "heat", title: "x.title", empty: "x.empty", unit: "count" },
    hours: (rows) => rows,
    note: (_rows, index) => (index === 1 ? "1 unknown" : null),
  });
  const plot = resolvePlot(noted, [[2, 3]], t.en, "en");
  expect(describePoint(plot, 0, t.en, "en")).toBe("Monday 00:00–01:00: 2");
  expect(describePoint(plot, 1, t.en, "en")).toBe("Monday 01:00–02:00: 3 (1 unknown)");
});
