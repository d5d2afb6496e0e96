import { expect, test } from "vitest";
import { hasFailed, inOrder, ownTime, type Rhythm, rhythmOf, type Scheduled } from "./words.ts";

test.each<[string | null, number | null, Rhythm | null]>([
  ["17 4 * * *", null, { kind: "daily", time: "04:17" }],
  ["41 * * * *", null, { kind: "hourly", minute: 41 }],
  ["*/5 * * * *", null, { kind: "every", ms: 300_000 }],
  ["0 3 * * 7", null, { kind: "weekly", time: "03:00", weekday: 0 }],
  ["30 23 1 * *", null, { kind: "monthly", time: "23:30", day: 1 }],
  [null, 90_000, { kind: "every", ms: 90_000 }],
  ["0 3,15 * * *", null, null],
  ["0 3 1 1 *", null, null],
  ["0 3 1 * 1", null, null],
  ["*/5 3 * * *", null, null],
])("%s, every %s, in words", (schedule, everyMs, expected) => {
  expect(rhythmOf({ schedule, everyMs })).toEqual(expected);
});

test.each([
  ["03:17", "2026-11-25T03:22:36Z", "UTC", "UTC", "03:17"],
  ["03:17", "2026-11-25T02:22:36Z", "Europe/Berlin", "UTC", "02:17"],
  ["23:58", "2026-11-25T00:03:10Z", "UTC", "Europe/Berlin", "00:58"],
  ["00:10", "2026-11-24T23:14:00Z", "Europe/Berlin", "America/New_York", "18:10"],
])("%s, next at %s, in %s is for a reader in %s at %s", (time, next, zone, own, expected) => {
  expect(ownTime(time, Date.parse(next), zone, own)).toBe(expected);
});

const job = (id: string, next: number | null, ...outcomes: Scheduled["runs"][number]["outcome"][]): Scheduled => ({
  id,
  schedule: null,
  everyMs: 1,
  next,
  kept: [],
  runs: outcomes.map((outcome, at) => ({
    id: at,
    outcome,
    startedAt: 0,
    finishedAt: null,
    owner: "",
    message: null,
    removed: [],
  })),
});

test("schedules that failed come first, then the next to run", () => {
  const jobs = [
    job("never", null),
    job("later", 9, "done"),
    job("soon", 1),
    job("failed", 20, "failed"),
    job("lost", 8, "running", "lost"),
  ];
  expect(inOrder(jobs).map(({ id }) => id)).toEqual(["lost", "failed", "soon", "later", "never"]);
  expect(hasFailed(job("mended", 1, "done", "failed"))).toBe(false);
});
