import { DatabaseFull } from "#core/db/errors.ts";
import type { Clock } from "#core/ports/clock.ts";
import type { DatabaseState } from "#core/ports/database.ts";
import type { Log } from "#core/ports/log.ts";
import { publicError } from "./failure.ts";

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

  down(seen: Error): void {
    if (this.#closed) return;
    this.#markDown(seen);
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

  #markDown(seen: Error): void {
    const { up, since, reason: before } = this.#state;
    const { message: reason } = seen;
    if (!up && before === reason) return;
    const full = seen instanceof DatabaseFull;
    if (up)
      this.#log.warn({ reason }, full ? "nothing can be stored: the disk is full; retrying" : "the database is down; retrying");
    this.#change({ up: false, since: up ? this.#clock.now() : since, reason, full });
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
    let seen: Error | null = null;
    try {
      await this.#probe();
    } catch (error) {
      seen = publicError(error) as Error;
    }
    this.#probing = false;
    if (this.#closed) return;
    if (seen === null) {
      this.up();
      return;
    }
    this.#markDown(seen);
    this.#schedule(nextDelayMs);
  }
}
