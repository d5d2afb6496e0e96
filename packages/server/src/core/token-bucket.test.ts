import { expect, test } from "vitest";
import { TokenBucket, TokenBuckets } from "./token-bucket.ts";

function manualClock() {
  let now = 0;
  return { monotonic: () => now, pass: (ms: number) => void (now += ms) };
}

test("a bucket starts full, refills at its rate, and never above its size", () => {
  const clock = manualClock();
  const bucket = new TokenBucket(clock, { burst: 10, perSecond: 2 });
  expect(bucket.take(8)).toBe(2);
  clock.pass(1500);
  expect(bucket.tokens).toBe(5);
  clock.pass(60_000);
  expect(bucket.tokens).toBe(10);
});

test("a bucket may owe tokens, and takes back at most what it holds when full", () => {
  const clock = manualClock();
  const bucket = new TokenBucket(clock, { burst: 4, perSecond: 1 });
  expect(bucket.take(6)).toBe(-2);
  clock.pass(1000);
  expect(bucket.tokens).toBe(-1);
  bucket.putBack(50);
  expect(bucket.tokens).toBe(4);
});

test("new keys cannot refill a bucket in use", () => {
  const clock = manualClock();
  const buckets = new TokenBuckets(10);
  const of = (key: string) => buckets.of(key, () => new TokenBucket(clock, { burst: 2, perSecond: 0 }));
  of("used").take(2);
  for (let n = 0; n < 100; n += 1) {
    of(`new ${n}`);
    expect(of("used").tokens).toBe(0);
  }
  for (let n = 0; n < 20; n += 1) of(`more ${n}`);
  expect(of("used").tokens).toBe(2);
});
