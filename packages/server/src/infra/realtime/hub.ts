import { closeCodes, realtimeErrors, type ClientMessage } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { Broker, Clock, Ids, Log, Metrics, OpenLink, SecretLinks, StatePublisher, TopicBinding } from "#core/ports/index.ts";
import { parseClientMessage } from "./client-message.ts";
import type { Connection } from "./connection.ts";
import { EventFanout } from "./fanout.ts";
import { EventFeed } from "./feed.ts";
import { defaultLimits, type RealtimeLimits } from "./limits.ts";
import { Presence, type PresenceOptions } from "./presence.ts";
import { ConnectionRegistry } from "./connection-registry.ts";
import { Resumes } from "./resume.ts";
import { type Authenticated, holderOf, isLink, type RefusalMessage, refusal, type Subscriber } from "./grants.ts";
import type { RealtimeSocket } from "./socket.ts";
import { ModeTimers } from "./mode-timers.ts";
import { StateTopics } from "./state.ts";
import { Subscriptions } from "./subscriptions.ts";
import { TopicRegistry } from "./topics.ts";

export interface RealtimeOptions {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly bindings: readonly TopicBinding[];
  /** Validates a user token; throws when it is not valid. */
  readonly authenticate: (token: string) => Promise<Authenticated>;
  /** The same viewer with its current rights; null when the session or the character no longer exists. */
  readonly refresh: (viewer: Viewer) => Promise<Viewer | null>;
  readonly links: SecretLinks;
  readonly limits?: Partial<RealtimeLimits>;
  /** Publishes who is online; left out, nothing is published. */
  readonly presence?: PresenceOptions;
}

/** The transport's callbacks for one socket. */
export interface SocketHandler {
  message(data: string): void;
  /** The transport received something below the messages, such as a pong frame. */
  alive(): void;
  closed(): void;
}

/** The server side of `/api/realtime`, without the transport. */
export class RealtimeHub {
  readonly limits: RealtimeLimits;
  readonly #options: RealtimeOptions;
  readonly #feed: EventFeed;
  readonly #states: StateTopics;
  readonly #subscriptions: Subscriptions;
  readonly #connections: ConnectionRegistry;
  readonly #modeTimers: ModeTimers;
  readonly #presence: Presence | null;
  readonly #rechecks;
  /** Number of changes of rights so far: a viewer that was loaded meanwhile may have earlier ones. */
  #rightsChanges = 0;

  constructor(options: RealtimeOptions) {
    this.#options = options;
    const { broker, clock, log, metrics, presence } = options;
    const limits = (this.limits = { ...defaultLimits, ...options.limits });
    const topics = new TopicRegistry(options.bindings);
    this.#modeTimers = new ModeTimers(clock, (connection) => void this.#recheck(connection, "mode"));
    this.#connections = new ConnectionRegistry(clock, limits, metrics, (connection) => this.#release(connection));
    const resumes = new Resumes(clock, limits);
    const events = new EventFanout(options, limits, resumes, ({ connection }) =>
      this.#connections.end(connection, closeCodes.slowReader, "read too slowly: connect again and resume"),
    );
    this.#states = new StateTopics(options, topics, limits);
    this.#presence = presence
      ? new Presence({
          presence,
          clock,
          process: options.ids.next(),
          state: this.#states,
          viewers: () => this.viewers(),
        })
      : null;
    this.#feed = new EventFeed(broker, clock, log, limits, {
      event: (stored) => events.publish(this.#feed.position?.epoch ?? "", stored),
      lost: () => this.#subscriptions.restart(),
      state: (up, since) => this.#connections.broadcast({ type: "feed", up, since }),
    });
    this.#subscriptions = new Subscriptions({
      log,
      metrics,
      limits,
      topics,
      feed: this.#feed,
      resumes,
      events,
      states: this.#states,
    });
    this.#rechecks = metrics.counter("rollcall_realtime_rechecks_total", "Checks of the rights of open connections, by cause", [
      "cause",
    ]);
    metrics.gauge("rollcall_realtime_ring_events", "Events kept in memory for resuming", () => this.#feed.ring.size);
  }

  /** For features that publish states. */
  get state(): StatePublisher {
    return this.#states;
  }

  /** One for each connection that signed in. */
  viewers(): Viewer[] {
    return [...this.#connections.identified()].flatMap(({ viewer }) => viewer ?? []);
  }

  async start(): Promise<void> {
    const states = this.#states.start();
    this.#connections.start();
    this.#presence?.start();
    await Promise.all([states, this.#feed.start()]);
  }

  /** Call this before accepting a socket. Throws the error to answer with when too many connections of this network have not signed in yet. */
  admit(network: string): void {
    this.#connections.admitAnonymous(network);
  }

  /** `network` is the client's network. */
  open(socket: RealtimeSocket, network: string): SocketHandler {
    const connection = this.#connections.begin(this.#options.ids.next(), socket, network);
    return {
      message: (data) => this.#message(connection, data),
      alive: () => this.#connections.onAlive(connection),
      closed: () => this.#connections.remove(connection),
    };
  }

  #message(connection: Connection, data: string): void {
    const admitted = this.#connections.admit(connection, data.length);
    if (connection.closed || !admitted) return;
    const message = parseClientMessage(data);
    if (typeof message === "string") {
      return this.#fail(connection, refusal(realtimeErrors.badMessage, { reason: message }), closeCodes.badMessage);
    }
    connection
      .enqueue(() => this.#handle(connection, message))
      .catch((error) => {
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
    if (message.type === "subscribe") return this.#subscriptions.subscribe(connection, subscriber, message.topic, message.after);
    if (message.type === "unsubscribe") return this.#subscriptions.unsubscribe(connection, message.topic);
    this.#fail(
      connection,
      refusal(realtimeErrors.badMessage, { reason: "auth or link was already given; an account uses renew" }),
      closeCodes.badMessage,
    );
  }

  #fail(connection: Connection, { code, params }: RefusalMessage, close: number): void {
    connection.send({ type: "error", code, params });
    this.#connections.end(connection, close, code);
  }

  #unauthenticated(connection: Connection): void {
    this.#fail(connection, refusal(realtimeErrors.unauthenticated), closeCodes.unauthenticated);
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
      return this.#fail(connection, refusal(realtimeErrors.tooManyConnections, { limit }), closeCodes.tooManyConnections);
    }
    this.#modeTimers.watch(connection);
    this.#presence?.publishSoon();
    if (changes !== this.#rightsChanges) void this.#recheck(connection, "signIn");
    const { heartbeatMs, subscriptionsPerConnection: subscriptions, frameBytes } = this.limits;
    const { expiresAt } = authenticated;
    connection.send({
      type: "ready",
      connection: connection.id,
      now: this.#options.clock.now(),
      expiresAt,
      heartbeatMs,
      feed: this.#feed.up,
      limits: { subscriptions, frameBytes },
    });
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
    const changes = this.#rightsChanges;
    const renewed = await this.#check(token);
    const same = renewed?.viewer.sessionId === before.sessionId && renewed.viewer.characterId === before.characterId;
    if (!renewed || !same) return this.#unauthenticated(connection);
    connection.expiresAt = renewed.expiresAt;
    connection.send({ type: "renewed", expiresAt: renewed.expiresAt });
    if (renewed.viewer.rights.epoch !== before.rights.epoch) await this.#regrant(connection, renewed.viewer);
    else connection.subscriber = renewed.viewer;
    this.#modeTimers.watch(connection);
    this.#presence?.publishSoon();
    if (changes !== this.#rightsChanges) void this.#recheck(connection, "signIn");
  }

  #release(connection: Connection): void {
    this.#modeTimers.forget(connection);
    this.#presence?.publishSoon();
    this.#subscriptions.removeAll(connection);
  }

  /**
   * Refresh of rights: loads the rights of these viewers again and authorizes their subscriptions
   * again. Nothing is sent to these viewers meanwhile.
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

  async #recheck(connection: Connection, cause: string): Promise<void> {
    this.#rechecks.inc({ cause });
    this.#subscriptions.pause(connection);
    await connection
      .enqueue(async () => {
        const { subscriber } = connection;
        if (subscriber !== null && isLink(subscriber)) return await this.#recheckLink(connection, subscriber.linkId);
        const viewer = subscriber && (await this.#options.refresh(subscriber));
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
    const present: OpenLink | null = await this.#options.links.present(linkId);
    if (present === null)
      return this.#connections.end(connection, closeCodes.linkEnded, "the link was revoked or used up, or has expired");
    await this.#regrant(connection, holderOf(present));
  }

  async #regrant(connection: Connection, subscriber: Subscriber): Promise<void> {
    connection.subscriber = subscriber;
    this.#modeTimers.watch(connection);
    this.#presence?.publishSoon();
    await this.#subscriptions.regrant(connection, subscriber);
  }

  /** Closes every connection, so that clients connect to another server, then stops. */
  async close(): Promise<void> {
    this.#connections.endAll(closeCodes.restart, "the server restarts: connect again and resume");
    this.#presence?.close();
    await Promise.all([this.#feed.close(), this.#states.close()]);
  }
}
