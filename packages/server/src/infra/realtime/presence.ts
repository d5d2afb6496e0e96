import { closeCodes, realtimeErrors, type ServerMessage } from "#core/contract/index.ts";
import type { Clock, Metrics } from "#core/ports/index.ts";
import { Connection } from "./connection.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { Authenticated } from "./session.ts";
import type { RealtimeSocket } from "./socket.ts";

interface Budget {
  left: number;
  at: number;
}

/** Who is connected: counts, limits, heartbeats, and ends that come of them. */
export class Presence {
  readonly #clock: Clock;
  readonly #limits: RealtimeLimits;
  readonly #release: (connection: Connection) => void;
  readonly #connections = new Set<Connection>();
  readonly #budgets = new WeakMap<Connection, Budget>();
  readonly #perAccount = new Map<number, Set<Connection>>();
  readonly #closes;
  #beating: { cancel(): void } | null = null;

  constructor(clock: Clock, limits: RealtimeLimits, metrics: Metrics, release: (connection: Connection) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#release = release;
    this.#closes = metrics.counter("rollcall_realtime_closes_total", "Connections that the server closed, by code", ["code"]);
    metrics.gauge("rollcall_realtime_connections", "Open connections", () => this.#connections.size);
    metrics.gauge("rollcall_realtime_subscriptions", "Topics listened to, over all connections", () =>
      [...this.#connections].reduce((n, c) => n + c.subscriptions.size, 0),
    );
  }

  start(): void {
    this.#beating = this.#clock.setTimeout(
      () => {
        for (const connection of [...this.#connections]) this.#beat(connection);
        this.start();
      },
      Math.min(this.#limits.heartbeatMs / 4, this.#limits.authenticateMs),
    );
  }

  #beat(connection: Connection): void {
    const now = this.#clock.monotonic();
    const { heartbeatMs, authenticateMs, expiryGraceMs } = this.#limits;
    if (connection.viewer === null) {
      if (now - connection.heardAt >= authenticateMs) this.end(connection, closeCodes.unauthenticated, "no token came");
      return;
    }
    if (this.#clock.now() > connection.expiresAt + expiryGraceMs)
      return this.end(connection, closeCodes.tokenExpired, "the token ran out: connect again with a fresh one");
    if (now - connection.heardAt > heartbeatMs * 2)
      return this.end(connection, closeCodes.silent, "nothing was heard from the client");
    if (now - connection.heardAt > heartbeatMs * 0.75 || now - connection.toldAt > heartbeatMs / 2) {
      connection.toldAt = now;
      connection.send({ type: "ping" });
    }
  }

  begin(id: string, socket: RealtimeSocket): Connection {
    const connection = new Connection(id, socket, this.#clock.monotonic());
    this.#connections.add(connection);
    return connection;
  }

  /** False when the account has too many connections already. */
  identify(connection: Connection, { viewer, expiresAt }: Authenticated): boolean {
    const own = this.#perAccount.get(viewer.accountId) ?? new Set();
    if (own.size >= this.#limits.connectionsPerAccount) return false;
    this.#perAccount.set(viewer.accountId, own.add(connection));
    connection.viewer = viewer;
    connection.expiresAt = expiresAt;
    this.heard(connection);
    return true;
  }

  *identified(): Iterable<Connection> {
    for (const set of this.#perAccount.values()) yield* set;
  }

  heard(connection: Connection): void {
    connection.heardAt = this.#clock.monotonic();
  }

  /** Counts a message; false and the end for a client that sends too many. */
  admit(connection: Connection): boolean {
    const now = this.#clock.monotonic();
    const most = this.#limits.messagesPerMinute;
    const budget = this.#budgets.get(connection) ?? { left: most, at: now };
    budget.left = Math.min(most, budget.left + ((now - budget.at) / 60_000) * most) - 1;
    budget.at = now;
    this.#budgets.set(connection, budget);
    if (connection.viewer !== null) this.heard(connection);
    if (budget.left >= 0) return true;
    connection.send({ type: "error", code: realtimeErrors.tooManyMessages.code, params: { limit: most } });
    this.end(connection, closeCodes.tooManyMessages, "too many messages");
    return false;
  }

  tellAll(message: ServerMessage): void {
    for (const connection of this.identified()) connection.send(message);
  }

  end(connection: Connection, code: number, reason: string): void {
    if (connection.closed) return;
    this.#closes.inc({ code: String(code) });
    connection.socket.close(code, reason);
    this.gone(connection);
  }

  gone(connection: Connection): void {
    if (connection.closed) return;
    connection.closed = true;
    this.#connections.delete(connection);
    const { viewer } = connection;
    if (viewer) {
      const own = this.#perAccount.get(viewer.accountId);
      own?.delete(connection);
      if (own?.size === 0) this.#perAccount.delete(viewer.accountId);
    }
    this.#release(connection);
  }

  endAll(code: number, reason: string): void {
    this.#beating?.cancel();
    for (const connection of [...this.#connections]) this.end(connection, code, reason);
  }
}
