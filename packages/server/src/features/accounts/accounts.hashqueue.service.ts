import { AppError } from "#core/errors.ts";
import type { Clock } from "#core/ports/index.ts";
import { accountsErrors } from "./accounts.contract.ts";

export interface QueueLimits {
  /** Waiting from one network. */
  readonly perNetwork: number;
  readonly total: number;
  /** While others wait: pause after each hash, in multiples of the time that it took. */
  readonly rest: number;
}

const busySeconds = 5;

export const busy = () => new AppError(accountsErrors.busy, { params: { seconds: busySeconds } });

/** Runs one hash at a time, in turn by network: many requests of one network delay each other, not other networks. */
export class HashQueue {
  readonly #limits: QueueLimits;
  readonly #clock: Clock;
  readonly #waiting = new Map<string, (() => void)[]>();
  #count = 0;
  #running = false;

  constructor(limits: QueueLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get full(): boolean {
    return this.#count >= this.#limits.total;
  }

  /** Throws `accounts.busy` when too many wait, from this network or in all. */
  async run<T>(network: string, work: () => Promise<T>): Promise<T> {
    if (this.#running) await this.#turn(network);
    this.#running = true;
    const begun = this.#clock.monotonic();
    try {
      return await work();
    } finally {
      const pause = this.#count === 0 ? 0 : (this.#clock.monotonic() - begun) * this.#limits.rest;
      if (pause === 0) this.#next();
      else this.#clock.setTimeout(() => this.#next(), pause);
    }
  }

  async #turn(network: string): Promise<void> {
    const queue = this.#waiting.get(network) ?? [];
    if (queue.length >= this.#limits.perNetwork || this.full) throw busy();
    this.#count += 1;
    await new Promise<void>((resolve) => this.#waiting.set(network, [...queue, resolve]));
  }

  #next(): void {
    for (const [network, queue] of this.#waiting) {
      const go = queue.shift();
      // Moved behind the other networks, each of which gets its turn before the next one of this network.
      this.#waiting.delete(network);
      if (queue.length > 0) this.#waiting.set(network, queue);
      if (!go) continue;
      this.#count -= 1;
      go();
      return;
    }
    this.#running = false;
  }
}
