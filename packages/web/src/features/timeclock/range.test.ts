import { expect, it } from "vitest";
import { blockOf, daysIn, hoursAndMinutes, localTime, rangeOf, stepped, weekOf } from "./range.ts";

it.each([
  ["day", "2026-11-18", "2026-11-18", "2026-11-18"],
  ["week", "2026-11-18", "2026-11-16", "2026-11-22"],
  ["week", "2026-11-22", "2026-11-16", "2026-11-22"],
  ["month", "2026-02-18", "2026-02-01", "2026-02-28"],
  ["month", "2026-12-31", "2026-12-01", "2026-12-31"],
] as const)("the %s of %s is %s to %s", (span, day, firstDay, lastDay) => {
  expect(rangeOf(span, day, undefined)).toEqual({ firstDay, lastDay });
});

it("a free range never ends before it begins", () => {
  expect(rangeOf("free", "2026-11-18", "2026-11-20")).toEqual({ firstDay: "2026-11-18", lastDay: "2026-11-20" });
  expect(rangeOf("free", "2026-11-18", "2026-11-02")).toEqual({ firstDay: "2026-11-18", lastDay: "2026-11-18" });
});

it("the next range begins where this one ends, and the one before ends where it begins", () => {
  const week = rangeOf("week", "2026-11-18", undefined);
  expect(rangeOf("week", stepped("week", week, 1), undefined).firstDay).toBe("2026-11-23");
  expect(rangeOf("week", stepped("week", week, -1), undefined).lastDay).toBe("2026-11-15");
  const month = rangeOf("month", "2026-01-31", undefined);
  expect(rangeOf("month", stepped("month", month, -1), undefined)).toEqual({ firstDay: "2025-12-01", lastDay: "2025-12-31" });
  expect(daysIn(week)).toHaveLength(7);
});

it.each([
  ["2025-12-29", 1],
  ["2026-11-16", 47],
  ["2026-12-28", 53],
  ["2027-01-04", 1],
])("the week of Monday %s is %s", (monday, week) => {
  expect(weekOf(monday)).toBe(week);
});

it("an entry lies on the day as far as it belongs to it", () => {
  const day = { from: 0, until: 100 };
  expect(blockOf({ from: -50, to: 25 }, day)).toEqual({ left: 0, width: 25 });
  expect(blockOf({ from: 50, to: 300 }, day)).toEqual({ left: 50, width: 50 });
});

it("a local time is that of the zone", () => {
  expect(localTime(Date.parse("2026-10-25T00:30:05Z"), "Europe/Berlin")).toBe("2026-10-25T02:30:05");
});

it("hours are written with their minutes", () => {
  expect([0, 59, 25_500, 360_000].map(hoursAndMinutes)).toEqual(["0:00", "0:00", "7:05", "100:00"]);
});
