import { expect, test } from "vitest";
import { draftLimits } from "./drafts.contract.ts";
import { beyond, isTooLarge } from "./drafts.policy.ts";

test("the size of a draft is counted in bytes", () => {
  expect(isTooLarge("a".repeat(draftLimits.bytes))).toBe(false);
  expect(isTooLarge("ä".repeat(draftLimits.bytes / 2 + 1))).toBe(true);
});

test("of too many drafts the oldest go", () => {
  const others = Array.from({ length: draftLimits.account + 1 }, (_one, n) => ({ saved_at: n }));
  expect(beyond(others)).toEqual([{ saved_at: 1 }, { saved_at: 0 }]);
  expect(beyond(others.slice(0, draftLimits.account - 1))).toEqual([]);
});
