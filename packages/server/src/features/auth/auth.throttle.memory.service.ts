import { createHmac } from "node:crypto";
import type { Clock, Ids } from "#core/ports/index.ts";
import { BoundedMap } from "#core/recent.ts";
import {
  count,
  type Counted,
  type Counter,
  countersAfter,
  type CounterKind,
  refunded,
  type Subjects,
  waitOfSubjects,
} from "./auth.throttle.policy.ts";

const maxCounters = 50_000;

/**
 * The counters of networks, and of attempts at what does not exist (names that no account has, tokens that
 * were never issued), in the memory of this process: unknown callers can make any number of these, so
 * none is stored. The keys are hashed under a key of this process, because what was typed as a name is
 * often a password.
 */
export class MemoryThrottle {
  readonly #clock: Clock;
  readonly #key: string;
  readonly #counters = new BoundedMap<string, Counter>(maxCounters);

  constructor(clock: Clock, ids: Ids) {
    this.#clock = clock;
    this.#key = ids.secret(32);
  }

  /** Milliseconds to wait before the next attempt. */
  wait(subjects: Subjects, knownAddress = false): number {
    return waitOfSubjects(this.#counters, this.#hashed(subjects), knownAddress, this.#clock.now());
  }

  /** Counts an attempt before it is checked. Throws `auth.throttled`. */
  consume(subjects: Subjects, knownAddress = false): Counted {
    const counted = count(this.#counters, this.#hashed(subjects), knownAddress, this.#clock.now());
    this.#put(countersAfter(counted));
    return counted;
  }

  /** After an attempt that was right. */
  refund(counted: Counted, forget: readonly CounterKind[] = []): void {
    const { kept, removed } = refunded(this.#counters, counted, forget);
    this.#put(kept);
    for (const subject of removed) this.#counters.delete(subject);
  }

  #hashed(subjects: Subjects): Subjects {
    const hash = (subject: string) => createHmac("sha256", this.#key).update(subject).digest("base64url").slice(0, 22);
    return Object.fromEntries(Object.entries(subjects).map(([kind, subject]) => [kind, hash(subject)]));
  }

  #put(changed: ReadonlyMap<string, Counter>): void {
    for (const [subject, counter] of changed) this.#counters.set(subject, counter);
  }
}
