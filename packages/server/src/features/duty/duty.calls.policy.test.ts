import { describe, expect, test } from "vitest";
import { clockOf, restartsOf } from "./duty.calls.policy.ts";
import { afterCall, neverCalled } from "./duty.sources.policy.ts";

const now = 1_790_000_000_000;
const minute = 60_000;
const called = { ...neverCalled, lastCallAt: now };

describe("the clock of a game server", () => {
  test.each([
    ["that nobody knows", null, null],
    ["that is right", 2000, null],
    ["that is ten minutes behind", 10 * minute, { name: "clockBehind", count: 10 }],
    ["that is two minutes ahead", -2 * minute, { name: "clockAhead", count: 2 }],
  ])("%s", (_what, behindMs, clock) => expect(clockOf({ ...called, behindMs }, now)).toEqual(clock));

  test("is not reported once the source has not called for an hour", () => {
    expect(clockOf({ ...called, behindMs: 10 * minute }, now + 61 * minute)).toBeNull();
  });
});

describe("a game server that restarts", () => {
  test("twice is reported as nothing, and four times as a loop until it stays up", () => {
    let source = afterCall(neverCalled, "boot 0", now);
    for (const i of [1, 2]) source = afterCall(source, `boot ${i}`, now + i * minute);
    expect(restartsOf(source, now + 2 * minute)).toBe(0);
    for (const i of [3, 4]) source = afterCall(source, `boot ${i}`, now + i * minute);
    expect(restartsOf(source, now + 4 * minute)).toBe(4);
    expect(restartsOf(source, now + 30 * minute)).toBe(0);
  });
});
