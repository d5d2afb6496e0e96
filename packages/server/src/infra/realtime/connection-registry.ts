import { closeCodes, realtimeErrors, type ServerMessage } from "#core/contract/index.ts";
import type { Clock, Metrics } from "#core/ports/index.ts";
import { TokenBucket } from "#core/token-bucket.ts";
import { Anonymous } from "./anonymous.ts";
import { Connection } from "./connection.ts";
import type { RealtimeLimits } from "./limits.ts";
import { type Authenticated, isLink, ownerOf, type Subscriber } from "./grants.ts";

/** All connections: counts and limits them, sends heartbeats, and ends them when necessary. */
export class ConnectionRegistry {
  readonly #clock: Clock;
  readonly #limits: RealtimeLimits;
  readonly #release: (connection: Connection) => void;
  readonly #connections = new Set<Connection>();
  readonly #messages = new WeakMap<Connection, TokenBucket>();
  readonly #anonymous: Anonymous;
  /** By account or link. */
  readonly #perOwner = new Map<string, Set<Connection>>();
  readonly #perCharacter = new Map<number, Set<Connection>>();
  readonly #closes;
  #heartbeat: { cancel(): void } | null = null;

  constructor(clock: Clock, limits: RealtimeLimits, metrics: Metrics, release: (connection: Connection) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#release = release;
    this.#anonymous = new Anonymous(clock, limits, (connection, code, reason) => this.end(connection, code, reason));
    this.#closes = metrics.counter("rollcall_realtime_closes_total", "Connections that the server closed, by code", ["code"]);
    metrics.gauge("rollcall_realtime_connections", "Open connections", () => this.#connections.size);
    metrics.gauge("rollcall_realtime_subscriptions", "Subscriptions of all connections", () =>
      [...this.#connections].reduce((n, c) => n + c.subscriptions.size, 0),
    );
  }

  start(): void {
    this.#heartbeat = this.#clock.setTimeout(() => {
      for (const connection of [...this.#connections]) this.#beat(connection);
      this.start();
    }, this.#limits.heartbeatMs / 4);
  }

  #beat(connection: Connection): void {
    const now = this.#clock.monotonic();
    const { heartbeatMs, expiryGraceMs } = this.#limits;
    if (connection.subscriber === null) return;
    // A link ends at its instant, which `ModeTimers` reports.
    if (connection.viewer !== null && this.#clock.now() > connection.expiresAt + expiryGraceMs)
      return this.end(connection, closeCodes.tokenExpired, "the token expired: connect again with a fresh one");
    if (now - connection.receivedAt > heartbeatMs * 2)
      return this.end(connection, closeCodes.silent, "the client sent nothing for too long");
    if (now - connection.receivedAt > heartbeatMs * 0.75 || now - connection.sentAt > heartbeatMs / 2) {
      connection.sentAt = now;
      connection.send({ type: "ping" });
    }
  }

  /** Throws the error to answer with when there is no room for another anonymous connection of the network. */
  admitAnonymous(network: string): void {
    this.#anonymous.admit(network);
  }

  begin(id: string, client: Pick<Connection, "socket" | "network" | "protocol">): Connection {
    const connection = new Connection(id, client, this.#clock.monotonic());
    this.#connections.add(connection);
    this.#anonymous.add(connection, client.network);
    return connection;
  }

  /** The most connections that the account or the link of this subscriber may have. */
  mostOf(subscriber: Subscriber): number {
    return isLink(subscriber) ? this.#limits.connectionsPerLink : this.#limits.connectionsPerAccount;
  }

  /** False when the account or the link has too many connections already. */
  identify(connection: Connection, { viewer: subscriber, expiresAt }: Authenticated<Subscriber>): boolean {
    const owner = ownerOf(subscriber);
    const own = this.#perOwner.get(owner) ?? new Set();
    if (own.size >= this.mostOf(subscriber)) return false;
    this.#perOwner.set(owner, own.add(connection));
    this.#anonymous.remove(connection);
    connection.subscriber = subscriber;
    const character = connection.viewer?.characterId;
    if (character !== undefined)
      this.#perCharacter.set(character, (this.#perCharacter.get(character) ?? new Set()).add(connection));
    connection.expiresAt = expiresAt;
    this.onAlive(connection);
    return true;
  }

  *identified(): Iterable<Connection> {
    for (const set of this.#perOwner.values()) yield* set;
  }

  /** A connection keeps its character for as long as it lives. */
  ofCharacter(character: number): Iterable<Connection> {
    return this.#perCharacter.get(character) ?? [];
  }

  /** The client sent something; before the sign-in it counts as one more message and extends nothing. */
  onAlive(connection: Connection): void {
    if (connection.subscriber === null) this.#admitAnonymous(connection, 0);
    else connection.receivedAt = this.#clock.monotonic();
  }

  #admitAnonymous(connection: Connection, characters: number): boolean {
    const problem = this.#anonymous.onMessage(connection, characters);
    if (problem === "tooMany") this.end(connection, closeCodes.tooManyMessages, "too many messages before the token");
    if (problem === "tooLong") this.end(connection, closeCodes.badMessage, "the message is too long before the token");
    return problem === null;
  }

  /** Counts a message; ends the connection and returns false when it sends too many. */
  admit(connection: Connection, characters: number): boolean {
    if (connection.subscriber === null && !this.#admitAnonymous(connection, characters)) return false;
    const max = connection.protocol.messagesPerMinute;
    const bucket = this.#messages.get(connection) ?? new TokenBucket(this.#clock, { burst: max, perSecond: max / 60 });
    this.#messages.set(connection, bucket);
    if (connection.subscriber !== null) this.onAlive(connection);
    if (bucket.take(1) >= 0) return true;
    connection.send({ type: "error", code: realtimeErrors.tooManyMessages.code, params: { limit: max } });
    this.end(connection, closeCodes.tooManyMessages, "too many messages");
    return false;
  }

  broadcast(message: ServerMessage): void {
    for (const connection of this.identified()) connection.send(message);
  }

  end(connection: Connection, code: number, reason: string): void {
    if (connection.closed) return;
    this.#closes.inc({ code: String(code) });
    connection.socket.close(code, reason);
    this.remove(connection);
  }

  /** Forgets a closed connection. */
  remove(connection: Connection): void {
    if (connection.closed) return;
    connection.closed = true;
    this.#connections.delete(connection);
    this.#anonymous.remove(connection);
    const { owner } = connection;
    const own = this.#perOwner.get(owner);
    own?.delete(connection);
    if (own?.size === 0) this.#perOwner.delete(owner);
    const character = connection.viewer?.characterId;
    const ofCharacter = character === undefined ? undefined : this.#perCharacter.get(character);
    ofCharacter?.delete(connection);
    if (character !== undefined && ofCharacter?.size === 0) this.#perCharacter.delete(character);
    this.#release(connection);
  }

  endAll(code: number, reason: string): void {
    this.#heartbeat?.cancel();
    for (const connection of [...this.#connections]) this.end(connection, code, reason);
  }
}
