import { expect, it } from "vitest";
import { addDays } from "#core/zone.ts";
import { endOfMonth, endOfYear, monthParts, planOf, toEndOfMonth } from "./timeclock.sums.policy.ts";

it.each([
  ["2026-11-18", "2026-11-18", [], [["2026-11", 18, 18]]],
  ["2026-11-01", "2026-11-30", [["2026", [11]]], []],
  ["2024-02-01", "2024-02-28", [], [["2024-02", 1, 28]]],
  ["2024-02-01", "2024-02-29", [["2024", [2]]], []],
  [
    "2025-11-28",
    "2026-11-28",
    [
      ["2025", [12]],
      ["2026", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]],
    ],
    [
      ["2025-11", 28, 30],
      ["2026-11", 1, 28],
    ],
  ],
])("%s to %s is read from whole months of years, and from the days of what is left", (firstDay, lastDay, years, months) => {
  const plan = planOf({ firstDay, lastDay });
  expect(plan.years.map((one) => [one.year, one.months])).toEqual(years);
  expect(plan.months.map(({ month, from, to }) => [month, from, to])).toEqual(months);
});

it.each([
  ["2026-02-10", "2026-02-10", "2026-02-28"],
  ["2026-02-10", "2025-12-31", "2026-02-28"],
  ["2026-02-10", null, "2026-02-28"],
  ["2026-02-10", "2026-02-11", "2026-02-10"],
  ["2026-02-28", "2026-03-01", "2026-02-28"],
])("a range until %s with the last hours on %s is read until %s", (lastDay, lastWithHours, until) => {
  expect(toEndOfMonth({ firstDay: "2026-01-05", lastDay }, lastWithHours)).toEqual({ firstDay: "2026-01-05", lastDay: until });
});

it("has each day of a range once, whatever the range", () => {
  for (let start = 0; start < 800; start += 37)
    for (const length of [1, 2, 28, 31, 60, 366]) {
      const firstDay = addDays("2023-12-30", start);
      const lastDay = addDays(firstDay, length - 1);
      const days = monthParts({ firstDay, lastDay }).flatMap(({ month, from, to }) =>
        Array.from({ length: to - from + 1 }, (_none, i) => `${month}-${String(from + i).padStart(2, "0")}`),
      );
      expect(days).toEqual(Array.from({ length }, (_none, i) => addDays(firstDay, i)));
    }
});

it("ends with the month and the year", () => {
  expect([endOfMonth("2026-02"), endOfMonth("2026-12"), endOfYear("2026")].map((at) => new Date(at).toISOString())).toEqual([
    "2026-03-01T00:00:00.000Z",
    "2027-01-01T00:00:00.000Z",
    "2027-01-01T00:00:00.000Z",
  ]);
});
