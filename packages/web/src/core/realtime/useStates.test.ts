import { expect, it } from "vitest";
import { testClock } from "#core/testkit.ts";
import { atMost } from "./useStates.ts";

it("calls back at once and then at most once an interval, the last time after the last call", async () => {
  const clock = testClock();
  let calls = 0;
  const seldom = atMost(1_000, () => (calls += 1), clock);
  for (let frame = 0; frame < 10; frame += 1) {
    seldom.call();
    await clock.advance(200);
  }
  expect(calls).toBe(3);
  await clock.advance(5_000);
  expect(calls).toBe(3);
  seldom.call();
  seldom.call();
  seldom.stop();
  await clock.advance(5_000);
  expect(calls).toBe(4);
});
