import type { Clock } from "./ports/clock.ts";
import { TokenBucket, TokenBuckets } from "./token-bucket.ts";

/** The queue is full, or this requester used up its budget. */
export class QueueFull extends Error {
  override name = "QueueFull";
}

export interface FairQueueOptions {
  readonly clock: Pick<Clock, "monotonic">;
  /** Most tasks that run at the same time, in total and per requester. */
  readonly atOnce: number;
  readonly perRequester: number;
  /** Most tasks that wait, in total. */
  readonly waiting: number;
  /** A requester's budget in milliseconds of work, and how many milliseconds it regains per second. */
  readonly budget: { readonly burstMs: number; readonly msPerSecond: number };
}

interface Waiting {
  start(): void;
  refuse(): void;
}

interface Lane {
  running: number;
  readonly waiting: Waiting[];
}

/** A requester's milliseconds of work, and the number of its last turn. */
class Budget extends TokenBucket {
  turn = 0;
}

const maxBudgets = 10_000;

/**
 * Runs costly work so that no requester (an account or a network) blocks the others: requesters take
 * turns, each has a time budget, and when the queue is full the requester with most waiting tasks
 * loses its latest one.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #budgets = new TokenBuckets<Budget>(maxBudgets);
  readonly #lanes = new Map<string, Lane>();
  #running = 0;
  #queued = 0;
  #turns = 0;

  constructor(options: FairQueueOptions) {
    this.#options = options;
  }

  /** Number of requesters with running or waiting tasks. */
  get requesters(): number {
    return this.#lanes.size;
  }

  /**
   * Throws `QueueFull` or the error of `work`. The time of `work` is charged whether or not it throws. If
   * it first waits for something else, it calls `begun`, and time is charged from there.
   */
  async run<T>(requester: string, work: (begun: () => void) => Promise<T>): Promise<T> {
    if (this.#budgetOf(requester).tokens <= 0) throw new QueueFull("the time budget of this requester is used up");
    const lane = this.#lanes.get(requester) ?? { running: 0, waiting: [] };
    await this.#takeTurn(requester, lane);
    const { clock } = this.#options;
    let started = clock.monotonic();
    try {
      return await work(() => (started = clock.monotonic()));
    } finally {
      this.#budgetOf(requester).take(clock.monotonic() - started);
      this.#end(requester, lane);
    }
  }

  async #takeTurn(requester: string, lane: Lane): Promise<void> {
    const { atOnce, perRequester, waiting } = this.#options;
    const isFree = this.#running < atOnce && lane.running < perRequester && lane.waiting.length === 0;
    if (!isFree && this.#queued >= waiting && !this.#makeRoom(lane)) throw new QueueFull("too many tasks are waiting");
    // Not earlier: a refused requester must not leave a lane behind.
    this.#lanes.set(requester, lane);
    await new Promise<void>((resolve, reject) => {
      lane.waiting.push({ start: resolve, refuse: () => reject(new QueueFull("made room for another requester")) });
      this.#queued += 1;
      this.#startNext();
    });
    if (this.#budgetOf(requester).tokens > 0) return;
    this.#end(requester, lane);
    throw new QueueFull("the time budget of this requester is used up");
  }

  #budgetOf(requester: string): Budget {
    const { budget, clock } = this.#options;
    return this.#budgets.of(requester, () => new Budget(clock, { burst: budget.burstMs, perSecond: budget.msPerSecond }));
  }

  #startNext(): void {
    while (this.#running < this.#options.atOnce && this.#queued > 0) {
      const next = this.#next();
      if (!next) return;
      this.#turns += 1;
      next.budget.turn = this.#turns;
      this.#queued -= 1;
      next.lane.running += 1;
      this.#running += 1;
      next.lane.waiting.shift()!.start();
    }
  }

  /** The requester with most time left; among equals the one whose last turn is longest ago. */
  #next(): { lane: Lane; budget: Budget } | undefined {
    let next: { lane: Lane; budget: Budget } | undefined;
    for (const [requester, lane] of this.#lanes) {
      if (lane.waiting.length === 0 || lane.running >= this.#options.perRequester) continue;
      const budget = this.#budgetOf(requester);
      const more = next ? budget.tokens - next.budget.tokens || next.budget.turn - budget.turn : 1;
      if (more > 0) next = { lane, budget };
    }
    return next;
  }

  /** Refuses the latest task of the requester with most waiting tasks, unless that is `lane` itself. */
  #makeRoom(lane: Lane): boolean {
    let longest = lane;
    for (const other of this.#lanes.values()) if (other.waiting.length > longest.waiting.length) longest = other;
    if (longest.waiting.length <= lane.waiting.length + 1) return false;
    this.#queued -= 1;
    longest.waiting.pop()!.refuse();
    return true;
  }

  #end(requester: string, lane: Lane): void {
    lane.running -= 1;
    this.#running -= 1;
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(requester);
    this.#startNext();
  }
}
