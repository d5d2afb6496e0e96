import type { Clock } from "./ports/clock.ts";
import { BoundedMap } from "./recent.ts";

export interface BucketLimits {
  /** Tokens that return per second. */
  readonly perSecond: number;
  /** Tokens of a full bucket. */
  readonly burst: number;
}

type BucketClock = Pick<Clock, "monotonic">;

/** A token bucket: starts full and refills at a constant rate. */
export class TokenBucket {
  readonly limits: BucketLimits;
  readonly #clock: BucketClock;
  #tokens: number;
  #refilledAt: number;

  constructor(clock: BucketClock, limits: BucketLimits) {
    this.limits = limits;
    this.#clock = clock;
    this.#tokens = limits.burst;
    this.#refilledAt = clock.monotonic();
  }

  /** The tokens it has now; below zero after more were taken than it had. */
  get tokens(): number {
    const now = this.#clock.monotonic();
    const { burst, perSecond } = this.limits;
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilledAt) / 1000) * perSecond);
    this.#refilledAt = now;
    return this.#tokens;
  }

  /** Takes tokens whether or not it has them; returns what is left. */
  take(count: number): number {
    this.#tokens = this.tokens - count;
    return this.#tokens;
  }

  putBack(count: number): void {
    this.#tokens = Math.min(this.limits.burst, this.tokens + count);
  }
}

/**
 * Buckets by key. With more than `max` keys the least recently used ones are dropped, so a flood of
 * new keys cannot refill a bucket in use.
 */
export class TokenBuckets<B extends TokenBucket = TokenBucket> {
  readonly #buckets: BoundedMap<string, B>;

  constructor(max: number) {
    this.#buckets = new BoundedMap(max);
  }

  of(key: string, create: () => B): B {
    const bucket = this.#buckets.get(key) ?? create();
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
