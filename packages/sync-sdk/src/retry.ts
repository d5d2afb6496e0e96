import { isSourceTaken, isTransient, SyncError, toSyncError } from "./errors.ts";
import type { SyncEvent } from "./events.ts";

/** Clock and randomness, which tests override. */
export interface Timing {
  /** Monotonic milliseconds. */
  now(): number;
  /** Milliseconds UTC. */
  date(): number;
  /** Resolves after `ms`, or at once when the signal is or gets aborted. In the background it does not keep the process alive. */
  sleep(ms: number, signal: AbortSignal, background?: boolean): Promise<void>;
  /** Runs `action` after `ms` unless the returned function is called before. */
  after(ms: number, action: () => void): () => void;
  /** From 0 up to 1. */
  random(): number;
}

export const systemTiming: Timing = {
  now: () => Number(process.hrtime.bigint() / 1_000_000n),
  date: () => Date.now(),
  sleep: (ms, signal, background = false) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      if (background) timer.unref();
      signal.addEventListener("abort", done);
    }),
  after(ms, action) {
    const timer = setTimeout(action, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

export interface RetryOptions {
  /** How often a call is tried, the first time included. Default 6. */
  readonly attempts?: number;
  /** First pause; doubles each time. Default 500 ms. */
  readonly baseMs?: number;
  /** Longest pause, also when the server asks for more. Default 60 s. */
  readonly maxMs?: number;
}

export const retryDefaults = { attempts: 6, baseMs: 500, maxMs: 60_000 };

/** The pause after so many failed attempts, in milliseconds; half of it is random. */
export function backOff(failures: number, error: SyncError, retry: Required<RetryOptions>, timing: Timing): number {
  const grown = Math.min(retry.maxMs, retry.baseMs * 2 ** Math.min(failures - 1, 30));
  if (error.retryAfterMs !== null) return Math.min(retry.maxMs, error.retryAfterMs + timing.random() * retry.baseMs);
  return grown * (0.5 + timing.random() / 2);
}

export interface RetryContext {
  readonly retry: Required<RetryOptions>;
  readonly timing: Timing;
  readonly signal: AbortSignal;
  emit(event: SyncEvent): void;
}

/** The longest pause of requests: people wait for them. Milliseconds. */
const longestPauseMs = 10_000;

/** The pauses of work that is repeated until it succeeds or the signal is aborted. */
export class Pauses {
  readonly #context: RetryContext;
  #failures = 0;

  constructor(context: RetryContext) {
    this.#context = context;
  }

  /** It succeeded; false when it had not failed before. */
  reset(): boolean {
    const failed = this.#failures > 0;
    this.#failures = 0;
    return failed;
  }

  /** Reports the failure, and resolves when the work may be tried again. */
  async failed(error: SyncError): Promise<void> {
    const { retry, timing, signal, emit } = this.#context;
    this.#failures += 1;
    const limits = { ...retry, maxMs: Math.min(retry.maxMs, longestPauseMs) };
    const delayMs = backOff(this.#failures, error, limits, timing);
    emit({ type: "retry", attempt: this.#failures, delayMs, error });
    await timing.sleep(delayMs, signal, true);
  }
}

/** The pauses while another sync token serves the game server; what fetches and what reports share them. */
export class SourcePauses {
  readonly #context: RetryContext;
  readonly #source: string;
  #reported = false;

  constructor(context: RetryContext, source: string) {
    this.#context = context;
    this.#source = source;
  }

  /** Requests were fetched: the next refusal is reported again. */
  reset(): void {
    this.#reported = false;
  }

  /** False for another failure. Otherwise reports the first one, and resolves after the longest pause. */
  async refused(error: SyncError): Promise<boolean> {
    if (!isSourceTaken(error)) return false;
    const { retry, timing, signal, emit } = this.#context;
    const delayMs = retry.maxMs;
    if (!this.#reported) emit({ type: "sourceTaken", source: this.#source, delayMs, error });
    this.#reported = true;
    await timing.sleep(delayMs, signal, true);
    return true;
  }
}

export const closedError = () => new SyncError("the client was closed", { code: "client.closed" });

/** Retries work that failed with a transient error. Throws `SyncError`. */
export async function withRetries<T>(context: RetryContext, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    if (context.signal.aborted) throw closedError();
    try {
      return await work();
    } catch (thrown) {
      const error = toSyncError(thrown);
      if (!isTransient(error) || attempt >= context.retry.attempts) throw error;
      const delayMs = backOff(attempt, error, context.retry, context.timing);
      context.emit({ type: "retry", attempt, delayMs, error });
      await context.timing.sleep(delayMs, context.signal);
    }
  }
}
