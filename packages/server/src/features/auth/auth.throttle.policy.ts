/**
 * How failed sign-ins slow the next one. Counters, each forgotten after a quiet time: the address
 * with the account (a person who forgot the password), the address alone (one machine trying many
 * accounts), the account alone (many machines trying one account) and the second factor of an
 * account. At an address from which the account signed in before only the first one counts, so
 * nobody can lock an owner out, neither from elsewhere nor from behind the same proxy.
 */
export interface Counter {
  readonly failures: number;
  readonly lastAt: number;
  readonly blockedUntil: number;
}

export type CounterKind = "pair" | "address" | "account" | "factor";

const minute = 60_000;
const longestMs = 15 * minute;

/**
 * Failures that cost nothing, the first wait after them (each further failure doubles it) and the
 * quiet time. Only who has the password fails at a second factor, so that one forgets slowly: about
 * a hundred guesses of a million a day.
 */
const rules: Readonly<Record<CounterKind, { free: number; firstMs: number; quietMs: number }>> = {
  pair: { free: 5, firstMs: 5_000, quietMs: 15 * minute },
  address: { free: 30, firstMs: 10_000, quietMs: 15 * minute },
  account: { free: 50, firstMs: 10_000, quietMs: 15 * minute },
  factor: { free: 10, firstMs: 30_000, quietMs: 24 * 60 * minute },
};

export const noFailures: Counter = { failures: 0, lastAt: 0, blockedUntil: 0 };

export function afterFailure(kind: CounterKind, counter: Counter, now: number): Counter {
  const { free, firstMs, quietMs } = rules[kind];
  const failures = now - counter.lastAt > quietMs ? 1 : counter.failures + 1;
  const over = failures - free;
  const wait = over <= 0 ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(over - 1, 20));
  return { failures, lastAt: now, blockedUntil: now + wait };
}

/** Milliseconds to wait before the next try, 0 when it may go ahead. */
export function waitFor(counters: Partial<Record<CounterKind, Counter>>, knownAddress: boolean, now: number): number {
  const counted = (Object.entries(counters) as [CounterKind, Counter][])
    .filter(([kind]) => kind === "pair" || !knownAddress)
    .map(([, counter]) => counter.blockedUntil - now);
  return Math.max(0, ...counted);
}
