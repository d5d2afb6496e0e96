import { describe, expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { createHold } from "./hold.ts";

describe("refusals of sign-ins", () => {
  test("come at once for a few a second, and a quarter of a second later for a flood", async () => {
    const clock = createTestClock();
    const hold = createHold(clock);
    let answered = 0;
    const all = Array.from({ length: 50 }, async () => {
      await hold();
      answered += 1;
    });
    await clock.advance(249);
    expect(answered).toBe(20);
    await clock.advance(1);
    expect(answered).toBe(50);
    await Promise.all(all);
    await clock.advance(1000);
    await hold();
  });

  test("are not kept in memory without end", async () => {
    const clock = createTestClock();
    const hold = createHold(clock);
    let answered = 0;
    for (let i = 0; i < 3000; i += 1) void hold().then(() => (answered += 1));
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(1000);
    expect(clock.waiting).toBe(2000);
  });
});
