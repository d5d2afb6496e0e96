import type { Clock } from "#core/ports/index.ts";
import type { Connection } from "./connection.ts";

/** Longest wait between checks, because the wall clock may be adjusted. */
const checkMs = 5_000;

/** Reports connections at the instant when a mode of the viewer (job admin, seeing as a grade) or a link expires. */
export class ModeTimers {
  readonly #clock: Clock;
  readonly #onExpired: (connection: Connection) => void;
  readonly #timers = new Map<Connection, { cancel(): void }>();

  constructor(clock: Clock, onExpired: (connection: Connection) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  /** Has to be called whenever the subscriber of a connection changed. */
  watch(connection: Connection): void {
    this.forget(connection);
    const until = connection.standingUntil;
    if (until === null || connection.closed) return;
    const left = Math.max(0, until - this.#clock.now());
    const check = () => {
      if (connection.modeEnded(this.#clock)) this.#onExpired(connection);
      else this.watch(connection);
    };
    this.#timers.set(connection, this.#clock.setTimeout(check, Math.min(left, checkMs)));
  }

  forget(connection: Connection): void {
    this.#timers.get(connection)?.cancel();
    this.#timers.delete(connection);
  }
}
