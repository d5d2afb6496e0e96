import { describe, expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { createRefusalDelay } from "./refusal-delay.ts";

describe("refusals of sign-ins", () => {
  test("are immediate for a few per second, and delayed by a quarter of a second in a flood", async () => {
    const clock = createTestClock();
    const delay = createRefusalDelay(clock);
    let answered = 0;
    const all = Array.from({ length: 50 }, async () => {
      await delay();
      answered += 1;
    });
    await clock.advance(249);
    expect(answered).toBe(20);
    await clock.advance(1);
    expect(answered).toBe(50);
    await Promise.all(all);
    await clock.advance(1000);
    await delay();
  });

  test("are delayed only up to a limit", async () => {
    const clock = createTestClock();
    const delay = createRefusalDelay(clock);
    let answered = 0;
    for (let i = 0; i < 3000; i += 1) void delay().then(() => (answered += 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(1000);
    expect(clock.waiting).toBe(2000);
  });
});
