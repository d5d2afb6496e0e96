import type { Clock } from "#core/ports/clock.ts";
import type { DatabaseState } from "#core/ports/database.ts";
import type { Log } from "#core/ports/log.ts";

const firstProbeMs = 250;
const slowestProbeMs = 5_000;

/** Tracks whether the database can be used, and retries in the background while it cannot. */
export class Availability {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #probe: () => Promise<void>;
  readonly #listeners = new Set<(state: DatabaseState) => void>();
  #state: DatabaseState;
  #timer: { cancel(): void } | null = null;
  #probing = false;
  #closed = false;
  #everUp = false;

  /** `probe` makes one round trip on a connection of its own and rejects while the database is down. */
  constructor(clock: Clock, log: Log, probe: () => Promise<void>) {
    this.#clock = clock;
    this.#log = log;
    this.#probe = probe;
    this.#state = { up: false, since: clock.now(), reason: "not connected yet" };
  }

  get state(): DatabaseState {
    return this.#state;
  }

  onChange(listener: (state: DatabaseState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  up(): void {
    if (this.#state.up || this.#closed) return;
    const awayMs = this.#clock.now() - this.#state.since;
    if (this.#everUp) this.#log.info({ awayMs }, "the database is up again");
    this.#everUp = true;
    this.#change({ up: true, since: this.#clock.now(), reason: null });
  }

  down(reason: string): void {
    if (this.#closed) return;
    this.#markDown(reason);
    this.#schedule(firstProbeMs);
  }

  /** A connection broke: checks whether the database is down. */
  suspect(): void {
    if (!this.#closed) this.#schedule(0);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #markDown(reason: string): void {
    const { up, since, reason: before } = this.#state;
    if (!up && before === reason) return;
    if (up) this.#log.warn({ reason }, "the database is down; retrying");
    this.#change({ up: false, since: up ? this.#clock.now() : since, reason });
  }

  #change(state: DatabaseState): void {
    this.#state = state;
    for (const listener of this.#listeners) {
      try {
        listener(state);
      } catch (error) {
        this.#log.error({ err: error }, "a listener of the database state failed");
      }
    }
  }

  #schedule(delayMs: number): void {
    if (this.#timer || this.#probing || this.#closed) return;
    this.#timer = this.#clock.setTimeout(() => {
      this.#timer = null;
      void this.#try(Math.min(slowestProbeMs, Math.max(firstProbeMs, delayMs * 2)));
    }, delayMs);
  }

  async #try(nextDelayMs: number): Promise<void> {
    this.#probing = true;
    let reason: string | null = null;
    try {
      await this.#probe();
    } catch (error) {
      reason = (error as Error).message;
    }
    this.#probing = false;
    if (this.#closed) return;
    if (reason === null) {
      this.up();
      return;
    }
    this.#markDown(reason);
    this.#schedule(nextDelayMs);
  }
}
