import { describe, expect, test } from "vitest";
import { Zone } from "#core/zone.ts";
import { daysUpTo, tablesOf } from "./auth.refusals.policy.ts";

const at = (text: string) => Date.parse(text);
const reading = (name: string) => {
  const zone = new Zone(name);
  return (instant: number) => zone.wallTime(instant);
};
const reasons = ["wrong password", "throttled"];

describe("the last days", () => {
  test.each([
    ["2026-03-30", 3, ["2026-03-28", "2026-03-29", "2026-03-30"]],
    ["2026-10-26", 3, ["2026-10-24", "2026-10-25", "2026-10-26"]],
    ["2028-03-01", 2, ["2028-02-29", "2028-03-01"]],
    ["2026-01-01", 1, ["2026-01-01"]],
  ])("up to %s, %i of them", (last, count, days) => expect(daysUpTo(last, count)).toEqual(days));
});

describe("the tables", () => {
  const quarter = (instant: string, why: string, count: number) => ({ at: at(instant), why, count });
  const berlin = reading("Europe/Berlin");

  test("add up by day and reason, and by weekday from Monday and hour", () => {
    const counts = [
      // Sunday, 23:30 and Monday, 00:15 in Berlin.
      quarter("2026-03-01T22:30:00Z", "wrong password", 4),
      quarter("2026-03-01T23:15:00Z", "wrong password", 2),
      quarter("2026-03-01T23:15:00Z", "throttled", 7),
      quarter("2026-03-01T23:30:00Z", "throttled", 1),
    ];
    const { days, hours } = tablesOf(counts, ["2026-03-01", "2026-03-02"], reasons, berlin);
    expect(days).toEqual([
      { day: "2026-03-01", counts: [4, 0] },
      { day: "2026-03-02", counts: [2, 8] },
    ]);
    expect([hours.length, ...new Set(hours.map((row) => row.length))]).toEqual([7, 24]);
    expect([hours[6]![23], hours[0]![0]]).toEqual([4, 10]);
    expect(hours.flat().reduce((sum, one) => sum + one, 0)).toBe(14);
  });

  test("count the hour that comes twice as one, and nothing of the hour that is missing", () => {
    const autumn = ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"].map((one) => quarter(one, "throttled", 3));
    expect(tablesOf(autumn, ["2026-10-25"], reasons, berlin).hours[6]!.slice(0, 5)).toEqual([0, 0, 6, 0, 0]);
    const spring = ["2026-03-29T00:30:00Z", "2026-03-29T01:30:00Z"].map((one) => quarter(one, "throttled", 3));
    expect(tablesOf(spring, ["2026-03-29"], reasons, berlin).hours[6]!.slice(0, 5)).toEqual([0, 3, 0, 3, 0]);
  });

  test("leave out other days and other reasons", () => {
    const counts = [quarter("2026-02-27T12:00:00Z", "throttled", 5), quarter("2026-03-01T12:00:00Z", "else", 5)];
    const { days, hours } = tablesOf(counts, ["2026-03-01"], reasons, berlin);
    expect(days).toEqual([{ day: "2026-03-01", counts: [0, 0] }]);
    expect(hours.flat().every((one) => one === 0)).toBe(true);
  });
});
