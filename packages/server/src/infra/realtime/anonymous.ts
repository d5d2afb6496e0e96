import { closeCodes, realtimeErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock } from "#core/ports/index.ts";
import type { Connection } from "./connection.ts";
import type { RealtimeLimits } from "./limits.ts";

interface Waiting {
  readonly network: string;
  readonly since: number;
  readonly timer: { cancel(): void };
  messages: number;
}

/** Limits connections that have not signed in yet: their time, their number per network and in total, and their messages. */
export class Anonymous {
  readonly #clock: Clock;
  readonly #limits: RealtimeLimits;
  readonly #end: (connection: Connection, code: number, reason: string) => void;
  /** Ordered by age, the oldest first. */
  readonly #waiting = new Map<Connection, Waiting>();
  readonly #perNetwork = new Map<string, number>();

  constructor(clock: Clock, limits: RealtimeLimits, end: (connection: Connection, code: number, reason: string) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#end = end;
  }

  /** Makes room for one more, ending the oldest if it had time to sign in; otherwise throws the error to answer with. */
  admit(network: string): void {
    const { anonymousPerNetwork, anonymousConnections, anonymousGraceMs } = this.#limits;
    const seconds = anonymousGraceMs / 1000;
    if ((this.#perNetwork.get(network) ?? 0) >= anonymousPerNetwork && !this.#endOldest(network))
      throw new AppError(realtimeErrors.tooManyWaiting, { params: { limit: anonymousPerNetwork, seconds } });
    if (this.#waiting.size >= anonymousConnections && !this.#endOldest())
      throw new AppError(realtimeErrors.busy, { params: { limit: anonymousConnections, seconds } });
  }

  /** Ends the oldest connection, of one network or of all; false when it had no time to sign in yet. */
  #endOldest(network?: string): boolean {
    for (const [connection, waiting] of this.#waiting) {
      if (network !== undefined && waiting.network !== network) continue;
      if (this.#clock.monotonic() - waiting.since < this.#limits.anonymousGraceMs) return false;
      this.#end(connection, closeCodes.unauthenticated, "no token was sent, and other clients are waiting");
      return true;
    }
    return false;
  }

  add(connection: Connection, network: string): void {
    const { authenticateMs } = this.#limits;
    const timer = this.#clock.setTimeout(
      () => this.#end(connection, closeCodes.unauthenticated, "no token was sent"),
      authenticateMs,
    );
    this.#waiting.set(connection, { network, since: this.#clock.monotonic(), timer, messages: 0 });
    this.#perNetwork.set(network, (this.#perNetwork.get(network) ?? 0) + 1);
  }

  /** The connection signed in or closed. */
  remove(connection: Connection): void {
    const waiting = this.#waiting.get(connection);
    if (waiting === undefined) return;
    waiting.timer.cancel();
    this.#waiting.delete(connection);
    const left = (this.#perNetwork.get(waiting.network) ?? 0) - 1;
    if (left > 0) this.#perNetwork.set(waiting.network, left);
    else this.#perNetwork.delete(waiting.network);
  }

  /** Counts a message; returns the reason to end the connection, or null. */
  onMessage(connection: Connection, characters: number): "tooMany" | "tooLong" | null {
    const waiting = this.#waiting.get(connection);
    if (waiting === undefined) return null;
    waiting.messages += 1;
    if (waiting.messages > this.#limits.anonymousMessages) return "tooMany";
    return characters > this.#limits.anonymousFrameLength ? "tooLong" : null;
  }
}
