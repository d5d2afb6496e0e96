import type { RateClass } from "#core/contract/operation.ts";
import type { Clock } from "#core/ports/clock.ts";
import { networkOf } from "#core/network.ts";
import { AppError } from "#core/errors.ts";
import { doorErrors } from "#core/contract/door.ts";
import type { Passed } from "./door.ts";

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
  export: { perSecond: 0.1, burst: 5 },
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
    buckets.delete(key);
    buckets.set(key, bucket);
    // The one that asked least recently: whoever brings many addresses frees nobody who is held.
    const oldest = buckets.size > mostBuckets ? buckets.keys().next().value : undefined;
    if (oldest !== undefined) buckets.delete(oldest);
    if (bucket.tokens < 1) {
      const seconds = Math.ceil((1 - bucket.tokens) / limit.perSecond);
      throw new AppError(doorErrors.rateLimited, { params: { seconds } });
    }
    bucket.tokens -= 1;
  };
}

/** Whose bucket a call takes from; of strangers that of their network, because one customer has a whole IPv6 /64. */
export function limitedBy({ account, actor }: Pick<Passed, "account" | "actor">, address: string): string {
  if (account) return `account ${account.accountId}`;
  return actor.kind === "sync" ? `token ${actor.tokenFingerprint}` : `address ${networkOf(address)}`;
}
