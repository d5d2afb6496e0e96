import { describe, expect, test } from "vitest";
import { afterFailure, noFailures, waitFor, type Counter } from "./auth.throttle.policy.ts";

function failed(kind: "pair" | "address" | "account", times: number, now = 1_000_000): Counter {
  let counter = noFailures;
  for (let i = 0; i < times; i += 1) counter = afterFailure(kind, counter, now);
  return counter;
}

describe("sign-in throttle", () => {
  test("five failures of one address and account are free, then the wait doubles", () => {
    expect(waitFor({ pair: failed("pair", 5) }, false, 1_000_000)).toBe(0);
    expect(waitFor({ pair: failed("pair", 6) }, false, 1_000_000)).toBe(5_000);
    expect(waitFor({ pair: failed("pair", 8) }, false, 1_000_000)).toBe(20_000);
  });

  test("no wait is longer than a quarter of an hour", () => {
    expect(waitFor({ pair: failed("pair", 500) }, false, 1_000_000)).toBe(15 * 60_000);
  });

  test("a quiet quarter of an hour forgets", () => {
    const later = 1_000_000 + 15 * 60_000 + 1;
    expect(afterFailure("pair", failed("pair", 40), later).failures).toBe(1);
  });

  test("strangers cannot lock an owner out of an address used before", () => {
    const account = failed("account", 10_000);
    expect(waitFor({ account }, false, 1_000_000)).toBeGreaterThan(0);
    expect(waitFor({ account }, true, 1_000_000)).toBe(0);
    expect(waitFor({ account, address: failed("address", 10_000) }, true, 1_000_000)).toBe(0);
  });
});
