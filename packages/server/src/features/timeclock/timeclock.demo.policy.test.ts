import { expect, it } from "vitest";
import { Zone } from "#core/zone.ts";
import { demoJob, demoShifts } from "./timeclock.demo.policy.ts";
import { dayParts, overlap } from "./timeclock.policy.ts";

const zone = new Zone("Europe/Berlin");
const people = Array.from({ length: 20 }, (_none, i) => ({
  id: i + 1,
  licence: `demo-${i}`,
  jobs: [{ job: demoJob, grade: i % 8, offDuty: false }],
}));

it("half a year of shifts has a night over the change in October, estimated ends, one that was late, and none at once", () => {
  const now = Date.parse("2026-11-26T02:00:00Z");
  const shifts = demoShifts(people, zone, now);
  expect(shifts.length).toBeGreaterThan(1000);
  const intervals = shifts.map((one) => ({ who: one.citizen_id, from: one.from_at, to: one.to_at }));
  const clashes = intervals.filter((a, i) => intervals.slice(i + 1, i + 3).some((b) => a.who === b.who && overlap(a, b)));
  expect(clashes).toEqual([]);
  const change = { from: Date.parse("2026-10-25T00:00Z"), to: Date.parse("2026-10-25T01:00Z") };
  expect(intervals.filter((one) => overlap(one, change) && dayParts(zone, one).length === 2)).not.toEqual([]);
  expect(shifts.some(({ estimated }) => estimated === 1)).toBe(true);
  expect(shifts.some(({ proposed }) => proposed === 1)).toBe(true);
  expect(shifts.every(({ to_at }) => to_at < now)).toBe(true);
  // Negative ones are those of entries that people asked for.
  expect(shifts.every(({ id }) => id > 0)).toBe(true);
  expect(new Set(shifts.map(({ id }) => id)).size).toBe(shifts.length);
});
