import { expect, it } from "vitest";
import { beginningOf, isFrozen, periodFrom, periodsUntil } from "./timeclock.periods.policy.ts";

it.each([
  ["week", "2026-11-18", "2026-11-16"],
  ["twoWeeks", "2026-11-22", "2026-11-16"],
  ["month", "2026-11-18", "2026-11-01"],
] as const)("the first %s of somebody who begins on %s is from %s", (length, day, first) => {
  expect(beginningOf(length, day)).toBe(first);
});

it.each([
  ["week", "2026-11-16", "2026-11-22"],
  ["week", "2026-11-22", "2026-11-22"],
  ["twoWeeks", "2026-11-16", "2026-11-29"],
  ["twoWeeks", "2026-11-19", "2026-11-29"],
  ["month", "2026-02-01", "2026-02-28"],
  ["month", "2028-02-01", "2028-02-29"],
  ["month", "2026-12-14", "2026-12-31"],
] as const)("a %s from %s ends on %s", (length, firstDay, lastDay) => {
  expect(periodFrom(length, firstDay)).toEqual({ firstDay, lastDay });
});

it("periods follow each other without a gap until today", () => {
  const weeks = periodsUntil("week", "2026-11-11", "2026-11-24");
  expect(weeks.map(({ firstDay, lastDay }) => `${firstDay} ${lastDay}`)).toEqual([
    "2026-11-11 2026-11-15",
    "2026-11-16 2026-11-22",
    "2026-11-23 2026-11-29",
  ]);
  expect(periodsUntil("month", "2026-12-01", "2026-11-24")).toEqual([]);
});

it.each([
  ["open", 9, 5, false],
  ["closing", 4, 5, false],
  ["closing", 5, 5, true],
  ["closed", 0, 5, true],
] as const)("in a period that is %s, with sums up to %i, those of %i are frozen: %s", (state, after, citizenId, frozen) => {
  expect(isFrozen({ state, after_id: after }, citizenId)).toBe(frozen);
});
