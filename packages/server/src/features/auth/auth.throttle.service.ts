import type { Clock, Tx } from "#core/ports/index.ts";
import * as repo from "./auth.repo.ts";
import {
  count,
  type Counted,
  countersAfter,
  type CounterKind,
  noFailures,
  refunded,
  type Subjects,
  waitOfSubjects,
} from "./auth.throttle.policy.ts";

/** After an attempt that was right, in the unit of work of its effect: removes its counters of these kinds and refunds the others. */
export type FinishAttempt = (tx: Tx, forget: readonly CounterKind[]) => Promise<void>;
export const nothingToFinish: FinishAttempt = async () => undefined;

/** One set of rows for all names that no account has. */
const decoySubjects = ["pair nobody", "address nobody", "network nobody", "account nobody"];

/** The counters of attempts at accounts that exist, in the database: they apply to all processes together. */
export class Throttle {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds to wait before the next attempt. */
  async wait(tx: Tx, subjects: Subjects, knownAddress: boolean): Promise<number> {
    const counters = await repo.readCounters(tx, Object.values(subjects));
    return waitOfSubjects(counters, subjects, knownAddress, this.#clock.now());
  }

  /** Counts an attempt before it is checked. Throws `auth.throttled`, which has to end the unit of work. */
  async consume(tx: Tx, subjects: Subjects, knownAddress: boolean): Promise<Counted> {
    const now = this.#clock.now();
    const counters = await repo.lockCounters(tx, Object.values(subjects), now);
    const counted = count(counters, subjects, knownAddress, now);
    await repo.putCounters(tx, countersAfter(counted));
    return counted;
  }

  /** As much work as `consume`, for a name that no account has: always the same rows, which record nothing of the attempt. */
  async consumeDecoy(tx: Tx): Promise<void> {
    const now = this.#clock.now();
    await repo.lockCounters(tx, decoySubjects, now);
    await repo.putCounters(tx, new Map(decoySubjects.map((subject) => [subject, { ...noFailures, lastAt: now }])));
  }

  /** After an attempt that was right. */
  async refund(tx: Tx, counted: Counted, forget: readonly CounterKind[]): Promise<void> {
    const counters = await repo.lockCounters(tx, Object.values(counted.subjects), this.#clock.now());
    const { kept, removed } = refunded(counters, counted, forget);
    if (kept.size > 0) await repo.putCounters(tx, kept);
    if (removed.length > 0) await repo.deleteCounters(tx, removed);
  }
}
