/** The only source of time. `zone` is the calendar zone of the DSN's `loc`. */
export interface Clock {
  /** Milliseconds UTC. */
  now(): number;
  /** Milliseconds that never decrease, for durations. */
  monotonic(): number;
  setTimeout(action: () => void, ms: number): { cancel(): void };
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The only source of identifiers and random secrets. */
export interface Ids {
  /** Time-ordered unique id, 26 characters. */
  next(): string;
  /** URL-safe random text of `bytes` random bytes. */
  secret(bytes: number): string;
}
