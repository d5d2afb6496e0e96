/** The only module of the browser application that reads the time; tests pass another clock. */
export interface Clock {
  /** Milliseconds since 1970-01-01T00:00:00Z, by the clock of this device. */
  now(): number;
  /** Runs `action` once after `delay` milliseconds; the returned function cancels it. */
  after(delay: number, action: () => void): () => void;
  /** Between 0 and 1, for jitter. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, action) {
    const timer = setTimeout(action, delay);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
