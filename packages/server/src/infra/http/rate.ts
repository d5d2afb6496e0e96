import type { RateClass } from "#core/contract/operation.ts";
import type { Clock } from "#core/ports/clock.ts";
import { networkOf, siteOf } from "#core/network.ts";
import { AppError } from "#core/errors.ts";
import { guardErrors } from "#core/contract/guard.ts";
import type { Principal } from "./principal.ts";
import { type BucketLimits, TokenBucket, TokenBuckets } from "#core/token-bucket.ts";

/**
 * What a call is counted as. In addition to the rate classes of operations: `refused` for refused calls,
 * `origin` for calls from unlisted origins, `syncGuess` for wrong Sync API tokens, `page` for files, pages
 * and preflights, `upgrade` for new WebSocket connections.
 */
export type Budget = RateClass | "refused" | "origin" | "syncGuess" | "page" | "upgrade";

/** Sustained calls per second, and the largest burst, per account or address. */
export type RateLimits = Readonly<Record<Budget, BucketLimits>>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route consumes from a budget of its own; other routes consume from `page`. */
    counted?: boolean;
  }
}

/** A busy person at a keyboard stays far below these; a runaway script does not. */
export const rateLimits: RateLimits = {
  read: { perSecond: 40, burst: 400 },
  search: { perSecond: 10, burst: 60 },
  write: { perSecond: 10, burst: 60 },
  login: { perSecond: 2, burst: 60 },
  sync: { perSecond: 50, burst: 500 },
  export: { perSecond: 0.1, burst: 5 },
  download: { perSecond: 1, burst: 20 },
  refused: { perSecond: 5, burst: 100 },
  origin: { perSecond: 5, burst: 100 },
  syncGuess: { perSecond: 10 / 60, burst: 10 },
  page: { perSecond: 100, burst: 1500 },
  upgrade: { perSecond: 10, burst: 300 },
};

const maxBuckets = 50_000;
/** Limit of a whole IPv6 /48, which one customer may have, as a multiple of the limit of one network. */
const siteFactor = 16;

export interface RateLimiter {
  /** Takes a token from the bucket of `key`; throws `system.rateLimited` when it is empty. */
  consume(budget: Budget, key: string): void;
  /** The same for a budget with limits of its own, such as that of a link. */
  consumeOwn(limits: BucketLimits, key: string): void;
  /** Returns the token of a call that this budget turned out not to apply to. */
  refund(budget: Budget, key: string): void;
}

/** Rate limit key of anonymous clients: their network, because one customer has a whole IPv6 /64. */
export const networkKey = (address: string): string => `address ${networkOf(address)}`;

/** Token buckets in the memory of this process: a protection against floods, not exact accounting. */
export function createRateLimiter(clock: Clock, limits: RateLimits): RateLimiter {
  const buckets = new TokenBuckets(maxBuckets);

  /** The bucket of this client and, for IPv6, that of its whole site. */
  function bucketsOf(budget: Budget, name: string): TokenBucket[] {
    const limit = limits[budget];
    const own = buckets.of(`${budget} ${name}`, () => new TokenBucket(clock, limit));
    const site = name.startsWith("address ") ? siteOf(name.slice("address ".length).replace(/\/64$/, "")) : null;
    if (site === null) return [own];
    const wider = { perSecond: limit.perSecond * siteFactor, burst: limit.burst * siteFactor };
    return [own, buckets.of(`${budget} site ${site}`, () => new TokenBucket(clock, wider))];
  }

  function take(counted: readonly TokenBucket[]): void {
    for (const bucket of counted) {
      const { tokens } = bucket;
      if (tokens >= 1) continue;
      const seconds = Math.ceil((1 - tokens) / bucket.limits.perSecond);
      throw new AppError(guardErrors.rateLimited, { params: { seconds } });
    }
    for (const bucket of counted) bucket.take(1);
  }

  return {
    consume: (budget, name) => take(bucketsOf(budget, name)),
    consumeOwn: (own, name) => take([buckets.of(`own ${name}`, () => new TokenBucket(clock, own))]),
    refund(budget, name) {
      for (const bucket of bucketsOf(budget, name)) bucket.putBack(1);
    },
  };
}

/** Rate limit key of a call. */
export function limitedBy({ account, actor }: Pick<Principal, "account" | "actor">, address: string): string {
  if (account) return `account ${account.accountId}`;
  return actor.kind === "sync" ? `token ${actor.tokenFingerprint}` : networkKey(address);
}
