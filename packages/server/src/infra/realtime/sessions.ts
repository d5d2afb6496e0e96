import { closeCodes, realtimeErrors, type ClientMessage } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { Clock, Ids, Log, Metrics, SecretLinks } from "#core/ports/index.ts";
import { parseClientMessage } from "./client-message.ts";
import type { ChangedObjects, Connection, SocketProtocol } from "./connection.ts";
import { ConnectionRegistry } from "./connection-registry.ts";
import { type Authenticated, holderOf, isLink, type RefusalMessage, refusal, type Subscriber } from "./grants.ts";
import type { RealtimeLimits } from "./limits.ts";
import { ModeTimers } from "./mode-timers.ts";
import type { RealtimeSocket } from "./socket.ts";

export interface SessionsOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Validates a user token; throws when it is not valid. */
  readonly authenticate: (token: string) => Promise<Authenticated>;
  /** The same viewer with its current rights; null when the session or the character no longer exists. */
  readonly refresh: (viewer: Viewer) => Promise<Viewer | null>;
  readonly links: SecretLinks;
}

/** The transport's callbacks for one socket. */
export interface SocketHandler {
  message(data: string): void;
  binary(bytes: Uint8Array): void;
  /** The transport received something below the messages, such as a pong frame. */
  alive(): void;
  closed(): void;
  readonly signedIn: boolean;
}

/**
 * What all WebSockets have in common, whatever they carry: signing in, renewing tokens, heartbeats, limits,
 * and checks of rights that changed.
 */
export class SocketSessions {
  readonly #options: SessionsOptions;
  readonly #connections: ConnectionRegistry;
  readonly #limits: RealtimeLimits;
  readonly #modeTimers: ModeTimers;
  readonly #viewersChanged: () => void;
  readonly #rechecks;
  /** Number of changes of rights so far: a viewer that was loaded meanwhile may have earlier ones. */
  #rightsChanges = 0;

  /** `viewersChanged` is called when somebody signed in, left, or has other rights. */
  constructor(options: SessionsOptions, limits: RealtimeLimits, viewersChanged: () => void) {
    this.#options = options;
    this.#limits = limits;
    this.#viewersChanged = viewersChanged;
    const { clock, metrics } = options;
    this.#modeTimers = new ModeTimers(clock, (connection) => void this.#recheck(connection, "mode"));
    this.#connections = new ConnectionRegistry(clock, limits, metrics, (connection) => this.#release(connection));
    this.#rechecks = metrics.counter("rollcall_realtime_rechecks_total", "Checks of the rights of open connections, by cause", [
      "cause",
    ]);
  }

  get connections(): Pick<ConnectionRegistry, "broadcast" | "end"> {
    return this.#connections;
  }

  start(): void {
    this.#connections.start();
  }

  /** One for each connection that signed in. */
  viewers(): Viewer[] {
    return [...this.#connections.identified()].flatMap(({ viewer }) => viewer ?? []);
  }

  /** Call this before accepting a socket. Throws the error to answer with when too many connections of this network have not signed in yet. */
  admit(network: string): void {
    this.#connections.admitAnonymous(network);
  }

  /** `network` is the client's network. */
  open(socket: RealtimeSocket, network: string, protocol: SocketProtocol): SocketHandler {
    const connection = this.#connections.begin(this.#options.ids.next(), { socket, network, protocol });
    return {
      message: (data) => this.#message(connection, data),
      binary: (bytes) => this.#binary(connection, bytes),
      alive: () => this.#connections.onAlive(connection),
      closed: () => this.#connections.remove(connection),
      get signedIn() {
        return connection.subscriber !== null;
      },
    };
  }

  #message(connection: Connection, data: string): void {
    const admitted = this.#connections.admit(connection, data.length);
    if (connection.closed || !admitted) return;
    const message = parseClientMessage(data);
    if (typeof message === "string") return this.#misused(connection, message);
    this.#enqueue(connection, () => this.#handle(connection, message));
  }

  #binary(connection: Connection, bytes: Uint8Array): void {
    const admitted = this.#connections.admit(connection, bytes.byteLength);
    if (connection.closed || !admitted) return;
    const { frame } = connection.protocol;
    if (frame === undefined || connection.subscriber === null) return this.#misused(connection, "clients send text frames");
    if (!connection.reserve(bytes.byteLength))
      return this.#connections.end(connection, closeCodes.tooManyMessages, "more frames arrive than are handled");
    this.#enqueue(connection, async () => {
      try {
        await connection.protocol.frame?.(connection, bytes);
      } finally {
        connection.reserve(-bytes.byteLength);
      }
    });
  }

  #enqueue(connection: Connection, work: () => Promise<void>): void {
    connection.enqueue(work).catch((error) => {
      this.#options.log.error({ err: error, connection: connection.id }, "a realtime message failed");
      this.#connections.end(connection, 1011, "internal error");
    });
  }

  async #handle(connection: Connection, message: ClientMessage): Promise<void> {
    if (message.type === "ping") return connection.send({ type: "pong" });
    if (message.type === "pong") return;
    const { subscriber, viewer } = connection;
    if (subscriber === null) return this.#first(connection, message);
    if (message.type === "renew" && viewer !== null) return this.#renew(connection, viewer, message.token);
    if (message.type === "auth" || message.type === "link" || message.type === "renew")
      return this.#misused(connection, "auth or link was already given; an account uses renew");
    const refused = await connection.protocol.message(connection, subscriber, message);
    if (refused !== undefined) this.#misused(connection, refused);
  }

  #misused(connection: Connection, reason: string): void {
    this.fail(connection, refusal(realtimeErrors.badMessage, { reason }), closeCodes.badMessage);
  }

  /** Says what was wrong, and ends the connection. */
  fail(connection: Connection, { code, params }: RefusalMessage, close: number): void {
    connection.send({ type: "error", code, params });
    this.#connections.end(connection, close, code);
  }

  #unauthenticated(connection: Connection): void {
    this.fail(connection, refusal(realtimeErrors.unauthenticated), closeCodes.unauthenticated);
  }

  /** The first message says who the client is. */
  async #first(connection: Connection, message: ClientMessage): Promise<void> {
    const changes = this.#rightsChanges;
    const authenticated =
      message.type === "auth"
        ? await this.#check(message.token)
        : message.type === "link"
          ? await this.#checkLink(message.secret, connection.network)
          : null;
    if (!authenticated) return this.#unauthenticated(connection);
    if (!this.#connections.identify(connection, authenticated)) {
      const limit = this.#connections.mostOf(authenticated.viewer);
      return this.fail(connection, refusal(realtimeErrors.tooManyConnections, { limit }), closeCodes.tooManyConnections);
    }
    this.#modeTimers.watch(connection);
    this.#viewersChanged();
    if (changes !== this.#rightsChanges) void this.#recheck(connection, "signIn");
    const { expiresAt, viewer } = authenticated;
    connection.send({
      type: "ready",
      connection: connection.id,
      now: this.#options.clock.now(),
      expiresAt,
      heartbeatMs: this.#limits.heartbeatMs,
      ...connection.protocol.ready(),
    });
    await connection.protocol.signedIn?.(connection, viewer);
  }

  async #check(token: string): Promise<Authenticated | null> {
    try {
      const authenticated = await this.#options.authenticate(token);
      return authenticated.expiresAt > this.#options.clock.now() ? authenticated : null;
    } catch (error) {
      this.#options.log.debug({ err: error }, "a realtime token was refused");
      return null;
    }
  }

  async #checkLink(secret: string, network: string): Promise<Authenticated<Subscriber> | null> {
    try {
      const found = await this.#options.links.find(secret, network);
      return found && { viewer: holderOf(found), expiresAt: found.expiresAt };
    } catch (error) {
      this.#options.log.debug({ err: error }, "the secret of a link was refused");
      return null;
    }
  }

  async #renew(connection: Connection, before: Viewer, token: string): Promise<void> {
    const { rechecks } = connection;
    const changes = this.#rightsChanges;
    const renewed = await this.#check(token);
    const same = renewed?.viewer.sessionId === before.sessionId && renewed.viewer.characterId === before.characterId;
    if (!renewed || !same) return this.#unauthenticated(connection);
    connection.expiresAt = renewed.expiresAt;
    connection.send({ type: "renewed", expiresAt: renewed.expiresAt });
    if (connection.rechecks !== rechecks) return;
    // These rights may have been read before the change, which concerned the connection only as who it is now.
    if (changes !== this.#rightsChanges) return void this.#recheck(connection, "signIn");
    if (renewed.viewer.rights.epoch !== before.rights.epoch) return await this.#regrant(connection, renewed.viewer);
    connection.subscriber = renewed.viewer;
    this.#modeTimers.watch(connection);
    this.#viewersChanged();
  }

  #release(connection: Connection): void {
    this.#modeTimers.forget(connection);
    this.#viewersChanged();
    connection.protocol.closed(connection);
  }

  /**
   * Refresh of rights: loads the rights of these viewers again and lets the protocols authorize again
   * what they may receive. Nothing is sent to these viewers meanwhile.
   */
  async rightsChanged(cause: string, concerned: (viewer: Viewer) => boolean): Promise<void> {
    this.#rightsChanges += 1;
    // A connection that is being checked may become a viewer of another job, whom this change concerns.
    const affected = [...this.#connections.identified()].filter((c) => c.recheck !== null || (c.viewer && concerned(c.viewer)));
    await Promise.all(affected.map((connection) => this.#recheck(connection, cause)));
  }

  /** Checks these links again, all of them with null, and closes the connections of those that ended. */
  async linksChanged(cause: string, linkIds: readonly number[] | null): Promise<void> {
    this.#rightsChanges += 1;
    const affected = [...this.#connections.identified()].filter(
      ({ subscriber }) => subscriber && isLink(subscriber) && (linkIds === null || linkIds.includes(subscriber.linkId)),
    );
    await Promise.all(affected.map((connection) => this.#recheck(connection, cause)));
  }

  /** Authorizes the connections of one character that follow this topic again. */
  async characterChanged(topic: string, character: number): Promise<void> {
    const affected = [...this.#connections.ofCharacter(character)].filter((one) =>
      one.protocol.follows(one, { of: topic, keys: null }),
    );
    await Promise.all(affected.map((connection) => this.#recheck(connection, topic)));
  }

  /** Authorizes those again who follow one of these objects, or are about to; nobody else is concerned. */
  async objectsChanged(cause: string, objects: ChangedObjects): Promise<void> {
    const affected = [...this.#connections.identified()].filter((one) => one.protocol.follows(one, objects));
    await Promise.all(affected.map((connection) => this.#recheck(connection, cause)));
  }

  async #recheck(connection: Connection, cause: string): Promise<void> {
    this.#rechecks.inc({ cause });
    connection.pause();
    connection.protocol.pause(connection);
    await connection
      .enqueue(async () => {
        const { rechecks, subscriber } = connection;
        if (subscriber !== null && isLink(subscriber)) return await this.#recheckLink(connection, subscriber.linkId);
        const viewer = subscriber && (await this.#options.refresh(subscriber));
        // The check that began meanwhile waits behind this one, and these rights may have been read before its change.
        if (connection.rechecks !== rechecks) return;
        if (!viewer) return this.#connections.end(connection, closeCodes.sessionEnded, "the session ended");
        if (viewer.rights.epoch !== connection.viewer?.rights.epoch) connection.send({ type: "rights" });
        await this.#regrant(connection, viewer);
      })
      .catch((error) => {
        // The current rights are unknown, so nothing more may be sent.
        this.#options.log.error({ err: error }, "rights could not be checked again");
        this.#connections.end(connection, closeCodes.restart, "rights could not be checked: connect again");
      });
  }

  async #recheckLink(connection: Connection, linkId: number): Promise<void> {
    const { rechecks } = connection;
    const present = await this.#options.links.present(linkId);
    if (connection.rechecks !== rechecks) return;
    if (present === null)
      return this.#connections.end(connection, closeCodes.linkEnded, "the link was revoked or used up, or has expired");
    await this.#regrant(connection, holderOf(present));
  }

  async #regrant(connection: Connection, subscriber: Subscriber): Promise<void> {
    connection.subscriber = subscriber;
    this.#modeTimers.watch(connection);
    this.#viewersChanged();
    connection.pause();
    connection.protocol.pause(connection);
    await connection.protocol.regrant(connection, subscriber);
  }

  /** Closes every connection, so that clients connect to another server. */
  endAll(): void {
    this.#connections.endAll(closeCodes.restart, "the server restarts: connect again and resume");
  }
}
