import { expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { createRateGuard } from "./rate.ts";

const limit = { perSecond: 1, burst: 3 };
const limits = { read: limit, search: limit, write: limit, login: limit, sync: limit };

test("a burst passes, then the refusal says how long to wait, and time heals", async () => {
  const clock = createTestClock();
  const takeOne = createRateGuard(clock, limits);
  for (let i = 0; i < 3; i += 1) takeOne("read", "account 1");
  expect(() => takeOne("read", "account 1")).toThrow(
    expect.objectContaining({
      definition: expect.objectContaining({ code: "system.rateLimited" }),
      params: { seconds: 1 },
    }),
  );
  takeOne("read", "account 2");
  takeOne("write", "account 1");
  await clock.advance(1000);
  takeOne("read", "account 1");
  expect(() => takeOne("read", "account 1")).toThrow();
});
