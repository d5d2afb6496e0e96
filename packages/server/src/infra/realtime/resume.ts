import type { Clock } from "#core/ports/index.ts";
import { TokenBucket } from "#core/token-bucket.ts";
import type { RealtimeLimits } from "./limits.ts";

interface Budget {
  readonly events: TokenBucket;
  readonly bytes: TokenBucket;
  /** Resolves after the last running or waiting resume. */
  turn: Promise<void>;
  waiting: number;
}

const maxBudgets = 10_000;

/**
 * The resume budget of each account or link, over all of its connections and topics: events processed and bytes
 * sent. Resumes of one owner run one after another.
 */
export class Resumes {
  readonly #clock: Clock;
  readonly #limits: RealtimeLimits;
  readonly #budgets = new Map<string, Budget>();

  constructor(clock: Clock, limits: RealtimeLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  #of(owner: string): Budget {
    const limits = this.#limits;
    const budget = this.#budgets.get(owner) ?? {
      events: new TokenBucket(this.#clock, {
        burst: limits.accountResumeEvents,
        perSecond: limits.accountResumeEventsPerSecond,
      }),
      bytes: new TokenBucket(this.#clock, { burst: limits.accountResumeBytes, perSecond: limits.accountResumeBytesPerSecond }),
      turn: Promise.resolve(),
      waiting: 0,
    };
    this.#budgets.delete(owner);
    this.#budgets.set(owner, budget);
    return budget;
  }

  /** Whether the budget allows this many events now; consumes nothing. */
  affords(owner: string, events: number): boolean {
    const budget = this.#of(owner);
    return budget.events.tokens >= events && budget.bytes.tokens > 0;
  }

  /** Consumes processed events and sent bytes; false when the budget is used up. */
  consume(owner: string, events: number, bytes: number): boolean {
    const budget = this.#of(owner);
    const left = [budget.events.take(events), budget.bytes.take(bytes)];
    return left.every((tokens) => tokens >= 0);
  }

  async inTurn(owner: string, work: () => Promise<void>): Promise<void> {
    const budget = this.#of(owner);
    const before = budget.turn;
    const done = Promise.withResolvers<void>();
    budget.turn = done.promise;
    budget.waiting += 1;
    try {
      await before;
      await work();
    } finally {
      budget.waiting -= 1;
      done.resolve();
      this.#forget();
    }
  }

  #forget(): void {
    if (this.#budgets.size <= maxBudgets) return;
    for (const [owner, { waiting }] of this.#budgets) {
      if (waiting === 0) this.#budgets.delete(owner);
      if (this.#budgets.size <= maxBudgets * 0.9) return;
    }
  }
}
