import { expect, test } from "vitest";
import { baseOf, olderFirst, restored, unitedJobs } from "./calls.merge.policy.ts";

test("the older call stays, and of two of one instant the first", () => {
  const call = (id: number, at: number) => ({ id, created_at: at });
  const [a, b, c] = [call(2, 10), call(1, 20), call(3, 10)];
  expect(olderFirst(a, b)).toEqual([a, b]);
  expect(olderFirst(b, a)).toEqual([a, b]);
  expect(olderFirst(c, a)).toEqual([a, c]);
});

test("united jobs are those of both, with the higher level", () => {
  const job = (name: string, level: string) => ({ job: name, level, min_grade: 0, expires_at: null });
  const stays = [job("police", "dispatch"), job("tow", "view")];
  const goes = [job("police", "participate"), job("tow", "participate"), job("ambulance", "dispatch")];
  expect(unitedJobs(stays, goes)).toEqual({
    changed: [
      { job: "tow", before: "view" },
      { job: "ambulance", before: null },
    ],
    jobs: [goes[1], goes[2]],
  });
});

test("undoing merges in any order leaves the number that the call had", () => {
  const [a, b] = [
    { base: 3, own: 1 },
    { base: 3, own: 2 },
  ] as const;
  expect(baseOf(3, [])).toBe(3);
  expect(baseOf(1, [a])).toBe(3);
  expect(restored(1, b, [a])).toBe(1);
  expect(restored(1, a, [b])).toBe(2);
  expect(restored(2, b, [])).toBe(3);
});

test("a number that people changed after a merge stays when that is undone", () => {
  const a = { base: 3, own: 1 };
  expect(restored(4, a, [])).toBe(4);
  expect(baseOf(4, [a])).toBe(4);
  expect(restored(2, { base: 4, own: 2 }, [a])).toBe(2);
  expect(restored(2, a, [{ base: 4, own: 2 }])).toBe(2);
});
