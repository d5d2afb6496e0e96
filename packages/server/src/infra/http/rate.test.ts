import { expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { createRateLimiter, limitedBy, type RateLimits, rateLimits } from "./rate.ts";

const limit = { perSecond: 1, burst: 3 };
const limits = Object.fromEntries(Object.keys(rateLimits).map((budget) => [budget, limit])) as unknown as RateLimits;

test("a burst is allowed, then the refusal says how long to wait, and tokens refill over time", async () => {
  const clock = createTestClock();
  const { consume } = createRateLimiter(clock, limits);
  for (let i = 0; i < 3; i += 1) consume("read", "account 1");
  expect(() => consume("read", "account 1")).toThrow(
    expect.objectContaining({
      definition: expect.objectContaining({ code: "system.rateLimited" }),
      params: { seconds: 1 },
    }),
  );
  consume("read", "account 2");
  consume("write", "account 1");
  await clock.advance(1000);
  consume("read", "account 1");
  expect(() => consume("read", "account 1")).toThrow();
});

test("calls from very many addresses do not reset the limit of another one", () => {
  const { consume } = createRateLimiter(createTestClock(), limits);
  for (let i = 0; i < 3; i += 1) consume("login", "address 203.0.113.7");
  for (let i = 0; i < 60_000; i += 1) {
    consume("login", `address 2001:db8:${i.toString(16)}::/64`);
    if (i % 10_000 === 0) expect(() => consume("login", "address 203.0.113.7")).toThrow();
  }
  expect(() => consume("login", "address 203.0.113.7")).toThrow();
});

test("addresses of one network share a limit", () => {
  const anonymous = { account: null, actor: { kind: "anonymous", address: "", userAgent: "", traceId: "" } } as const;
  expect(limitedBy(anonymous, "2001:db8:0:1::1")).toBe(limitedBy(anonymous, "2001:db8:0:1:ffff::2"));
  expect(limitedBy(anonymous, "2001:db8:0:1::1")).not.toBe(limitedBy(anonymous, "2001:db8:0:2::1"));
  expect(limitedBy(anonymous, "203.0.113.7")).not.toBe(limitedBy(anonymous, "203.0.113.8"));
});

test("the networks of a /48 share sixteen times the limit of one, and refunded tokens can be consumed again", () => {
  const { consume, refund } = createRateLimiter(createTestClock(), limits);
  let consumed = 0;
  const consumeAll = () => {
    for (let i = 0; i < 100; i += 1) {
      consume("refused", `address 2001:db8:0:${i.toString(16)}::/64`);
      consumed += 1;
    }
  };
  expect(consumeAll).toThrow(expect.objectContaining({ definition: expect.objectContaining({ code: "system.rateLimited" }) }));
  expect(consumed).toBe(48);
  consume("refused", "address 2001:db8:1:1::/64");
  consume("refused", "account 1");
  refund("refused", "address 2001:db8:0:60::/64");
  consume("refused", "address 2001:db8:0:61::/64");
  expect(() => consume("refused", "address 2001:db8:0:62::/64")).toThrow();
});
