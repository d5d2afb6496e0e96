import { expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { createRateGuard, limitedBy } from "./rate.ts";

const limit = { perSecond: 1, burst: 3 };
const limits = { read: limit, search: limit, write: limit, login: limit, sync: limit, export: limit };

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

test("whoever comes from very many places frees nobody who is held", () => {
  const takeOne = createRateGuard(createTestClock(), limits);
  for (let i = 0; i < 3; i += 1) takeOne("login", "address 203.0.113.7");
  for (let i = 0; i < 60_000; i += 1) {
    takeOne("login", `address 2001:db8:${i.toString(16)}::/64`);
    if (i % 10_000 === 0) expect(() => takeOne("login", "address 203.0.113.7")).toThrow();
  }
  expect(() => takeOne("login", "address 203.0.113.7")).toThrow();
});

test("the addresses of one network are one stranger", () => {
  const stranger = { account: null, actor: { kind: "anonymous", address: "", userAgent: "", traceId: "" } } as const;
  expect(limitedBy(stranger, "2001:db8:0:1::1")).toBe(limitedBy(stranger, "2001:db8:0:1:ffff::2"));
  expect(limitedBy(stranger, "2001:db8:0:1::1")).not.toBe(limitedBy(stranger, "2001:db8:0:2::1"));
  expect(limitedBy(stranger, "203.0.113.7")).not.toBe(limitedBy(stranger, "203.0.113.8"));
});
