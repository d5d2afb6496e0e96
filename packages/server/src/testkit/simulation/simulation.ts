import type { Clock, Ids } from "#core/ports/index.ts";

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

export interface Timer {
  cancel(): void;
}

const turn = async () => await new Promise<void>((resolve) => setImmediate(resolve));

/** The generator mulberry32: numbers from 0 to below 1, the same for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Time, chance and the order of everything that happens in a simulation, all from one seed: the same seed
 * gives the same run. Nothing in it may wait for the real world.
 */
export class Simulation {
  readonly #random: () => number;
  #entries: Entry[] = [];
  #order = 0;
  /** Milliseconds since the start. */
  elapsed = 0;
  #ids = 0;

  constructor(seed: number) {
    this.#random = randomOf(seed);
  }

  /** Milliseconds UTC. */
  get now(): number {
    return Date.UTC(2026, 10, 20, 12) + this.elapsed;
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** An integer from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.#random() * (high - low + 1));
  }

  pick<T>(list: readonly T[]): T {
    return list[this.between(0, list.length - 1)]!;
  }

  /** Actions of one instant run in a drawn order. */
  schedule(ms: number, action: () => void): Timer {
    const entry: Entry = { at: this.elapsed + Math.max(0, ms), order: this.#random() + this.#order++ * 1e-12, action };
    this.#entries.push(entry);
    return { cancel: () => void (this.#entries = this.#entries.filter((one) => one !== entry)) };
  }

  ids(): Ids {
    return { next: () => String((this.#ids += 1)).padStart(26, "0"), secret: (bytes) => "s".repeat(bytes) };
  }

  /** Runs what is due until `ms` later. */
  async run(ms: number): Promise<void> {
    const until = this.elapsed + ms;
    await turn();
    for (;;) {
      let next: Entry | null = null;
      for (const entry of this.#entries)
        if (next === null || entry.at < next.at || (entry.at === next.at && entry.order < next.order)) next = entry;
      if (next === null || next.at > until) break;
      this.#entries.splice(this.#entries.indexOf(next), 1);
      this.elapsed = Math.max(this.elapsed, next.at);
      next.action();
      await turn();
    }
    this.elapsed = until;
  }
}

/**
 * One process of a simulation. After `kill` nothing reaches it any more: its promises never settle. While it
 * is frozen everything that would reach it waits.
 */
export class Life {
  readonly #simulation: Simulation;
  #state: "running" | "frozen" | "dead" = "running";
  #waiting: (() => void)[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  get isDead(): boolean {
    return this.#state === "dead";
  }

  /** Calls `action` in this process. */
  reach(action: () => void): void {
    if (this.#state === "running") action();
    else if (this.#state === "frozen") this.#waiting.push(action);
  }

  onEnd(action: () => void): void {
    this.#ends.push(action);
  }

  freeze(): void {
    if (this.#state === "running") this.#state = "frozen";
  }

  thaw(): void {
    if (this.#state !== "frozen") return;
    this.#state = "running";
    for (const action of this.#waiting.splice(0)) action();
  }

  kill(): void {
    if (this.#state === "dead") return;
    this.#state = "dead";
    this.#waiting = [];
    for (const end of this.#ends) end();
  }

  /** Resolves in this process after a drawn delay of at most `mostMs`. */
  async delay(mostMs: number): Promise<void> {
    await new Promise<void>((resolve) =>
      this.#simulation.schedule(this.#simulation.between(0, mostMs), () => this.reach(resolve)),
    );
  }

  clock(): Clock {
    const simulation = this.#simulation;
    const later = (action: () => void, ms: number) => simulation.schedule(ms, () => this.reach(action));
    return {
      now: () => simulation.now,
      monotonic: () => simulation.elapsed,
      setTimeout: later,
      async sleep(ms, signal) {
        await new Promise<void>((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason as Error);
          const onAbort = () => {
            timer.cancel();
            reject(signal?.reason as Error);
          };
          const timer = later(() => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          }, ms);
          signal?.addEventListener("abort", onAbort, { once: true });
        });
      },
    };
  }
}
