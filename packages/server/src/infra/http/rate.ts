import type { RateClass } from "#core/contract/operation.ts";
import type { Clock } from "#core/ports/clock.ts";
import { AppError } from "#core/errors.ts";
import { doorErrors } from "#core/contract/door.ts";

/** Calls a second in the long run, and how many may come at once, per account or address. */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export type RateLimits = Readonly<Record<RateClass, RateLimit>>;

/** A busy person at a keyboard stays far below these; a runaway script does not. */
export const rateLimits: RateLimits = {
  read: { perSecond: 40, burst: 400 },
  search: { perSecond: 10, burst: 60 },
  write: { perSecond: 10, burst: 60 },
  login: { perSecond: 2, burst: 60 },
  sync: { perSecond: 50, burst: 500 },
};

const mostBuckets = 50_000;

/** Token buckets in memory of this process: a guard against floods, not an accounting. */
export function createRateGuard(clock: Clock, limits: RateLimits) {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return function takeOne(rateClass: RateClass, who: string): void {
    const limit = limits[rateClass];
    const key = `${rateClass} ${who}`;
    const now = clock.monotonic();
    const bucket = buckets.get(key) ?? { tokens: limit.burst, at: now };
    bucket.tokens = Math.min(limit.burst, bucket.tokens + ((now - bucket.at) / 1000) * limit.perSecond);
    bucket.at = now;
    if (buckets.size >= mostBuckets) buckets.clear();
    buckets.set(key, bucket);
    if (bucket.tokens < 1) {
      const seconds = Math.ceil((1 - bucket.tokens) / limit.perSecond);
      throw new AppError(doorErrors.rateLimited, { params: { seconds } });
    }
    bucket.tokens -= 1;
  };
}
