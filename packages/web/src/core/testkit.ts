import type { Clock } from "#core/clock.ts";
import type { KeptValues } from "#core/storage.ts";

/** A clock that only advances when a test moves it. */
export interface TestClock extends Clock {
  /** Advances the time and runs due timers in order, letting promises settle in between. */
  advance(milliseconds: number): Promise<void>;
  pending(): number;
}

export function testClock(start = 1_790_000_000_000): TestClock {
  let now = start;
  let timers: { at: number; action: () => void }[] = [];
  return {
    now: () => now,
    random: () => 0.5,
    pending: () => timers.length,
    after(delay, action) {
      const timer = { at: now + delay, action };
      timers.push(timer);
      return () => {
        timers = timers.filter((one) => one !== timer);
      };
    },
    async advance(milliseconds) {
      const end = now + milliseconds;
      for (;;) {
        const next = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((one) => one !== next);
        now = Math.max(now, next.at);
        next.action();
        await settle();
      }
      now = end;
      await settle();
    },
  };
}

/** Waits until all resolved promises have run their callbacks. */
export function settle(): Promise<void> {
  return new Promise((done) => setTimeout(done, 0));
}

export function memoryValues(): KeptValues & { all: Map<string, unknown> } {
  const all = new Map<string, unknown>();
  return {
    all,
    read: (name) => all.get(name),
    write: (name, value) => void all.set(name, structuredClone(value)),
    remove: (name) => void all.delete(name),
  };
}
