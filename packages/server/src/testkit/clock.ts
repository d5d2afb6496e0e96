import type { Clock } from "#core/ports/clock.ts";

/** A clock that only tests advance. */
export interface TestClock extends Clock {
  /** Advances the clock, running due timers in order and letting promises settle in between. */
  advance(ms: number): Promise<void>;
  /** Changes only the wall clock, like an operator or a time server. */
  step(ms: number): void;
  /** Number of pending timers and sleeps. */
  readonly waiting: number;
}

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

/** Starts at 2026-11-20T12:00:00Z by default. */
export function createTestClock(start = Date.UTC(2026, 10, 20, 12)): TestClock {
  let wall = start;
  let elapsed = 0;
  let order = 0;
  let entries: Entry[] = [];

  const schedule = (action: () => void, ms: number) => {
    const entry: Entry = { at: elapsed + Math.max(0, ms), order: order++, action };
    entries.push(entry);
    return { cancel: () => void (entries = entries.filter((e) => e !== entry)) };
  };
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve));
  const next = (until: number) => entries.filter((e) => e.at <= until).sort((a, b) => a.at - b.at || a.order - b.order)[0];

  return {
    now: () => wall,
    monotonic: () => elapsed,
    setTimeout: schedule,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const onAbort = () => {
          timer.cancel();
          reject(signal?.reason as Error);
        };
        const timer = schedule(() => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        }, ms);
        signal?.addEventListener("abort", onAbort, { once: true });
      });
    },
    async advance(ms) {
      const until = elapsed + ms;
      await settle();
      for (let entry = next(until); entry; entry = next(until)) {
        const due = entry;
        entries = entries.filter((e) => e !== due);
        const moved = Math.max(0, due.at - elapsed);
        elapsed += moved;
        wall += moved;
        due.action();
        await settle();
      }
      wall += until - elapsed;
      elapsed = until;
      await settle();
    },
    step(ms) {
      wall += ms;
    },
    get waiting() {
      return entries.length;
    },
  };
}
