import { expect, test } from "vitest";
import { newSince, visitAt } from "./visits.ts";

const minute = 60_000;
const now = 1_000_000 * minute;

test("what happened since the last visit is new, during the whole of the present one", () => {
  const yesterday = { before: now - 2000 * minute, last: now - 1000 * minute };
  expect(newSince(yesterday, now)).toBe(yesterday.last);
  const stored = visitAt(yesterday, now)!;
  expect(stored).toEqual({ before: yesterday.last, last: now });
  expect(newSince(stored, now)).toBe(yesterday.last);

  const later = now + 20 * minute;
  expect(newSince(stored, later)).toBe(yesterday.last);
  expect(visitAt(stored, later)).toEqual({ before: yesterday.last, last: later });
  expect(visitAt(stored, now + minute)).toBeNull();
});

test("somebody who was never here sees the last week, at the second look too", () => {
  const never = { before: 0, last: 0 };
  const week = now - 7 * 24 * 60 * minute;
  expect(newSince(never, now)).toBe(week);
  expect(newSince(visitAt(never, now)!, now)).toBe(week);
});
