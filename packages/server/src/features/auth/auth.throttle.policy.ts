import { AppError } from "#core/errors.ts";
import { networkOf, widerNetworkOf } from "#core/network.ts";
import { authErrors } from "./auth.contract.ts";

/**
 * How failed sign-ins delay the next one. There is one counter for each kind, forgotten after a quiet
 * time: the network with the account (a person who forgot the password), the network alone (one machine
 * that guesses at many accounts), the wider network around it (one customer with many networks), the account
 * alone (many machines that guess at one account) and the second factor of an account. At an address from
 * which the account signed in before only the first one counts, so an attacker cannot lock an owner out,
 * neither from elsewhere nor from behind the same proxy.
 *
 * An attempt is counted as a failure before it is checked, and refunded when it was right: otherwise all
 * attempts that arrive at the same time would be checked.
 */
export interface Counter {
  readonly failures: number;
  readonly lastAt: number;
  readonly blockedUntil: number;
}

export type CounterKind = "pair" | "address" | "wider" | "account" | "factor";

const minute = 60_000;
const longestMs = 15 * minute;

/**
 * Failures that cost nothing, the first wait after them (each further failure doubles it) and the
 * quiet time. A second factor is asked for only after the right password, so its counter is kept for
 * longer: about a hundred guesses of a million a day.
 */
const rules: Readonly<Record<CounterKind, { free: number; firstMs: number; quietMs: number }>> = {
  pair: { free: 5, firstMs: 5_000, quietMs: 15 * minute },
  address: { free: 30, firstMs: 10_000, quietMs: 15 * minute },
  wider: { free: 100, firstMs: 10_000, quietMs: 15 * minute },
  account: { free: 50, firstMs: 10_000, quietMs: 15 * minute },
  factor: { free: 10, firstMs: 30_000, quietMs: 24 * 60 * minute },
};

export const noFailures: Counter = { failures: 0, lastAt: 0, blockedUntil: 0 };

export function afterFailure(kind: CounterKind, counter: Counter, now: number): Counter {
  const { free, firstMs, quietMs } = rules[kind];
  const failures = now - counter.lastAt > quietMs ? 1 : counter.failures + 1;
  const beyondFree = failures - free;
  const wait = beyondFree <= 0 ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(beyondFree - 1, 20));
  return { failures, lastAt: now, blockedUntil: now + wait };
}

/** An attempt as it was counted: the counter before it and with it. */
export interface CountedAttempt {
  readonly before: Counter;
  readonly after: Counter;
}

/** The counter without an attempt that was right. Attempts that were counted since stay, with the wait that they began. */
export function withoutAttempt(counter: Counter, { before, after }: CountedAttempt): Counter {
  const alone = counter.failures === after.failures && counter.lastAt === after.lastAt;
  return alone ? before : { ...counter, failures: Math.max(0, counter.failures - 1) };
}

/** Milliseconds to wait before the next attempt, 0 when it may go ahead. */
export function longestWait(counters: Partial<Record<CounterKind, Counter>>, knownAddress: boolean, now: number): number {
  const counted = (Object.entries(counters) as [CounterKind, Counter][])
    .filter(([kind]) => kind === "pair" || !knownAddress)
    .map(([, counter]) => counter.blockedUntil - now);
  return Math.max(0, ...counted);
}

/** The keys under which failures are counted. */
export type Subjects = Readonly<Partial<Record<CounterKind, string>>>;

/** The counters by subject. */
type Counters = Pick<ReadonlyMap<string, Counter>, "get">;

/** What an attempt was counted under, until it turns out to be right or wrong. */
export interface Counted {
  readonly subjects: Subjects;
  readonly attempts: ReadonlyMap<string, CountedAttempt>;
}

/** For a caller whose address and browser the account does not know. */
export function networkSubjects(address: string): Subjects {
  return { address: `address ${networkOf(address)}`, wider: `network ${widerNetworkOf(address)}` };
}

/** A browser that signed in before has a counter of its own, wherever it is now. */
export function accountSubjects(accountId: number, address: string, device?: string): Subjects {
  const pair = device === undefined ? `pair ${networkOf(address)} ${accountId}` : `device ${device} ${accountId}`;
  return { pair: pair.slice(0, 150), ...networkSubjects(address), account: `account ${accountId}` };
}

/** By the name as typed, which may be a password: never stored. */
export function nameSubjects(username: string, address: string): Subjects {
  const name = username.normalize("NFKC").toLowerCase().trim();
  return { pair: `pair ${networkOf(address)} ${name}`, account: `name ${name}` };
}

/** For an account that is signed in and repeats its password: an open browser must not be a place to guess it. */
export function ownSubjects(accountId: number): Subjects {
  return { pair: `own ${accountId}` };
}

export function factorSubjects(accountId: number, address: string): Subjects {
  return { pair: `factor ${networkOf(address)} ${accountId}`.slice(0, 150), factor: `factor ${accountId}` };
}

export function tokenSubjects(address: string): Subjects {
  return { address: `token ${networkOf(address)}`, wider: `tokens ${widerNetworkOf(address)}` };
}

const entriesOf = (subjects: Subjects) => Object.entries(subjects) as [CounterKind, string][];

export function throttled(wait: number): AppError {
  return new AppError(authErrors.throttled, { params: { seconds: Math.ceil(wait / 1000) } });
}

export function waitOfSubjects(counters: Counters, subjects: Subjects, knownAddress: boolean, now: number): number {
  const counted = entriesOf(subjects).map(([kind, subject]) => [kind, counters.get(subject) ?? noFailures]);
  return longestWait(Object.fromEntries(counted), knownAddress, now);
}

/** Counts an attempt under every subject. Throws `auth.throttled` when one of them has to wait. */
export function count(counters: Counters, subjects: Subjects, knownAddress: boolean, now: number): Counted {
  const wait = waitOfSubjects(counters, subjects, knownAddress, now);
  if (wait > 0) throw throttled(wait);
  const attempts = entriesOf(subjects).map(([kind, subject]): [string, CountedAttempt] => {
    const before = counters.get(subject) ?? noFailures;
    return [subject, { before, after: afterFailure(kind, before, now) }];
  });
  return { subjects, attempts: new Map(attempts) };
}

export const countersAfter = ({ attempts }: Counted) => new Map([...attempts].map(([subject, { after }]) => [subject, after]));

/** The counters after an attempt that was right: those of the kinds in `forget` are removed, the others are as if the attempt had not happened. */
export function refunded(counters: Counters, counted: Counted, forget: readonly CounterKind[]) {
  const kept = new Map<string, Counter>();
  const removed: string[] = [];
  for (const [kind, subject] of entriesOf(counted.subjects)) {
    const counter = counters.get(subject);
    const one = counted.attempts.get(subject);
    const rest = counter && one ? withoutAttempt(counter, one) : noFailures;
    if (forget.includes(kind) || rest.failures === 0) removed.push(subject);
    else kept.set(subject, rest);
  }
  return { kept, removed };
}
