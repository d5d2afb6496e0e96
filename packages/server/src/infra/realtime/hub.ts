import { closeCodes, realtimeErrors, type ClientMessage } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { Broker, Clock, Ids, Log, Metrics, StatePublisher, TopicBinding } from "#core/ports/index.ts";
import { parseClientMessage } from "./client-message.ts";
import { Connection, type EventSubscription, type Subscription } from "./connection.ts";
import { EventFanout } from "./fanout.ts";
import { EventFeed } from "./feed.ts";
import { defaultLimits, type RealtimeLimits } from "./limits.ts";
import { Online, onlineMaxAgeMs, type OnlineParts } from "./online.ts";
import { Presence } from "./presence.ts";
import { type Authenticated, grantOf, isRefusal, type Refusal, refusal } from "./session.ts";
import type { RealtimeSocket } from "./socket.ts";
import { StateTopics } from "./state.ts";
import { TopicRegistry } from "./topics.ts";

export interface RealtimeParts {
  readonly broker: Broker;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly bindings: readonly TopicBinding[];
  /** Checks a user token; throws when it is not valid. */
  readonly authenticate: (token: string) => Promise<Authenticated>;
  /** The same viewer with its rights of now; null when the session or the character is gone. */
  readonly refresh: (viewer: Viewer) => Promise<Viewer | null>;
  readonly limits?: Partial<RealtimeLimits>;
  /** Frames per second of single state topics, by name. */
  readonly stateRates?: Readonly<Record<string, number>>;
  /** Tells who is connected. */
  readonly online?: OnlineParts;
}

/** What the transport calls for one socket. */
export interface SocketHandler {
  message(data: string): void;
  /** The transport heard something below the messages, such as a pong frame. */
  alive(): void;
  closed(): void;
}

/** The server side of `/api/realtime`, without the transport. */
export class RealtimeHub {
  readonly limits: RealtimeLimits;
  readonly #parts: RealtimeParts;
  readonly #topics: TopicRegistry;
  readonly #feed: EventFeed;
  readonly #events: EventFanout;
  readonly #states: StateTopics;
  readonly #presence: Presence;
  readonly #online: Online | null;
  readonly #subscribes;

  constructor(parts: RealtimeParts) {
    this.#parts = parts;
    const { broker, clock, log, metrics } = parts;
    const limits = (this.limits = { ...defaultLimits, ...parts.limits });
    this.#topics = new TopicRegistry(parts.bindings);
    this.#presence = new Presence(clock, limits, metrics, (connection) => this.#release(connection));
    this.#events = new EventFanout(log, clock, metrics, limits, ({ connection }) =>
      this.#presence.end(connection, closeCodes.slowReader, "read too slowly: connect again and resume"),
    );
    this.#states = new StateTopics(parts, this.#topics, limits, parts.stateRates ?? {});
    const { online } = parts;
    if (online) this.#states.forgetAfter(online.topic, onlineMaxAgeMs);
    const viewers = () => [...this.#presence.identified()].flatMap(({ viewer }) => viewer ?? []);
    this.#online = online ? new Online({ parts: online, clock, process: parts.ids.next(), state: this.#states, viewers }) : null;
    this.#feed = new EventFeed(broker, clock, log, limits, {
      event: (stored) => this.#events.spread(this.#feed.position?.epoch ?? "", stored),
      lost: () => this.#restart(),
      state: (up, since) => this.#presence.tellAll({ type: "feed", up, since }),
    });
    this.#subscribes = metrics.counter("rollcall_realtime_subscribes_total", "Subscriptions by outcome", ["mode"]);
    metrics.gauge("rollcall_realtime_ring_events", "Events kept in memory for resuming", () => this.#feed.ring.size);
  }

  /** For features that publish states. */
  get state(): StatePublisher {
    return this.#states;
  }

  async start(): Promise<void> {
    this.#states.start();
    this.#presence.start();
    this.#online?.start();
    await this.#feed.start();
  }

  open(socket: RealtimeSocket): SocketHandler {
    const connection = this.#presence.begin(this.#parts.ids.next(), socket);
    return {
      message: (data) => this.#message(connection, data),
      alive: () => this.#presence.heard(connection),
      closed: () => this.#presence.gone(connection),
    };
  }

  #message(connection: Connection, data: string): void {
    const admitted = this.#presence.admit(connection);
    if (connection.closed || !admitted) return;
    const message = parseClientMessage(data);
    if (typeof message === "string") {
      return this.#fail(connection, refusal(realtimeErrors.badMessage, { reason: message }), closeCodes.badMessage);
    }
    connection
      .enqueue(() => this.#handle(connection, message))
      .catch((error) => {
        this.#parts.log.error({ err: error, connection: connection.id }, "a realtime message failed");
        this.#presence.end(connection, 1011, "internal error");
      });
  }

  async #handle(connection: Connection, message: ClientMessage): Promise<void> {
    if (message.type === "ping") return connection.send({ type: "pong" });
    if (message.type === "pong") return;
    if (message.type === "auth" && connection.viewer === null) return this.#authenticate(connection, message.token);
    const { viewer } = connection;
    if (viewer === null) return this.#unauthenticated(connection);
    if (message.type === "renew") return this.#renew(connection, viewer, message.token);
    if (message.type === "subscribe") return this.#subscribe(connection, viewer, message.topic, message.after);
    if (message.type === "unsubscribe") return this.#unsubscribe(connection, message.topic);
    this.#fail(
      connection,
      refusal(realtimeErrors.badMessage, { reason: "auth was already given; use renew" }),
      closeCodes.badMessage,
    );
  }

  #fail(connection: Connection, { code, params }: Refusal, close: number): void {
    connection.send({ type: "error", code, params });
    this.#presence.end(connection, close, code);
  }

  #unauthenticated(connection: Connection): void {
    this.#fail(connection, refusal(realtimeErrors.unauthenticated), closeCodes.unauthenticated);
  }

  async #authenticate(connection: Connection, token: string): Promise<void> {
    const who = await this.#check(token);
    if (!who) return this.#unauthenticated(connection);
    if (!this.#presence.identify(connection, who)) {
      const limit = this.limits.connectionsPerAccount;
      return this.#fail(connection, refusal(realtimeErrors.tooManyConnections, { limit }), closeCodes.tooManyConnections);
    }
    this.#online?.changed();
    const { heartbeatMs, subscriptionsPerConnection: subscriptions, frameBytes } = this.limits;
    const { expiresAt } = who;
    connection.send({
      type: "ready",
      connection: connection.id,
      now: this.#parts.clock.now(),
      expiresAt,
      heartbeatMs,
      feed: this.#feed.up,
      limits: { subscriptions, frameBytes },
    });
  }

  async #check(token: string): Promise<Authenticated | null> {
    try {
      const who = await this.#parts.authenticate(token);
      return who.expiresAt > this.#parts.clock.now() ? who : null;
    } catch (error) {
      this.#parts.log.debug({ err: error }, "a realtime token was refused");
      return null;
    }
  }

  async #renew(connection: Connection, before: Viewer, token: string): Promise<void> {
    const who = await this.#check(token);
    const same = who?.viewer.sessionId === before.sessionId && who.viewer.characterId === before.characterId;
    if (!who || !same) return this.#unauthenticated(connection);
    connection.expiresAt = who.expiresAt;
    connection.send({ type: "renewed", expiresAt: who.expiresAt });
    if (who.viewer.rights.epoch !== before.rights.epoch) await this.#regrant(connection, who.viewer);
    else connection.viewer = who.viewer;
    this.#online?.changed();
  }

  async #subscribe(connection: Connection, viewer: Viewer, name: string, after?: { epoch: string; seq: number }): Promise<void> {
    const refuse = ({ code, params }: Refusal) => {
      this.#subscribes.inc({ mode: "refused" });
      connection.send({ type: "refused", topic: name, code, params });
    };
    const found = this.#topics.find(name);
    if (!found) return refuse(refusal(realtimeErrors.unknownTopic, { topic: name }));
    const limit = this.limits.subscriptionsPerConnection;
    if (connection.subscriptions.size >= limit && !connection.subscriptions.has(name)) {
      return refuse(refusal(realtimeErrors.tooManySubscriptions, { limit }));
    }
    const grant = await grantOf(found.topic, found.key, name, viewer);
    if (isRefusal(grant)) return refuse(grant);
    if (connection.closed) return;
    this.#drop(connection.subscriptions.get(name));
    const common = { name, topic: found.topic, key: found.key, connection, grant };
    if (found.topic.definition.kind === "state") {
      const subscription = { kind: "state", ...common } as const;
      connection.subscriptions.set(name, subscription);
      this.#showState(subscription);
    } else await this.#showEvents({ kind: "event", ...common, position: 0, prev: 0, live: false }, after);
  }

  #showState(subscription: Extract<Subscription, { kind: "state" }>): void {
    this.#states.add(subscription, (channel) => {
      this.#subscribes.inc({ mode: "state" });
      subscription.connection.send({
        type: "subscribed",
        topic: subscription.name,
        mode: "state",
        epoch: "",
        seq: 0,
        channel,
      });
    });
  }

  async #showEvents(subscription: EventSubscription, after?: { epoch: string; seq: number }): Promise<void> {
    const { connection } = subscription;
    connection.subscriptions.set(subscription.name, subscription);
    this.#events.add(subscription);
    if (!after) return this.#goLive(subscription, "live");
    const resumable = await this.#resumable(after);
    if (connection.closed || connection.subscriptions.get(subscription.name) !== subscription) return;
    if (!resumable) return this.#goLive(subscription, "snapshot");
    subscription.position = subscription.prev = after.seq;
    this.#announce(subscription, "resumed", after);
    await this.#catchUp(subscription);
  }

  async #resumable(after: { epoch: string; seq: number }): Promise<boolean> {
    try {
      return await this.#feed.canResume(after);
    } catch (error) {
      this.#parts.log.debug({ err: error }, "a position could not be checked");
      return false;
    }
  }

  async #catchUp(subscription: EventSubscription): Promise<void> {
    const done = await this.#events.catchUp(subscription, this.#feed).catch((error: unknown) => {
      this.#parts.log.warn({ err: error, topic: subscription.name }, "missed events could not be read");
      return false;
    });
    if (!done && !subscription.connection.closed) this.#goLive(subscription, "snapshot");
  }

  /** From the current position on. The broker's position stands before the client's reading of SQL. */
  #goLive(subscription: EventSubscription, mode: "live" | "snapshot"): void {
    const at = this.#feed.position ?? { epoch: "", seq: 0 };
    subscription.position = subscription.prev = at.seq;
    subscription.live = true;
    this.#announce(subscription, mode, at);
  }

  #announce(
    { connection, name }: EventSubscription,
    mode: "live" | "snapshot" | "resumed",
    at: { epoch: string; seq: number },
  ): void {
    this.#subscribes.inc({ mode });
    connection.send({ type: "subscribed", topic: name, mode, epoch: at.epoch, seq: at.seq, channel: null });
  }

  /** The stream was lost: what everybody knows is read anew. */
  #restart(): void {
    for (const subscription of this.#events.all()) {
      const { recheck } = subscription.connection;
      if (recheck) recheck.lost = true;
      else this.#goLive(subscription, "snapshot");
    }
  }

  #unsubscribe(connection: Connection, name: string): void {
    this.#drop(connection.subscriptions.get(name));
    connection.send({ type: "unsubscribed", topic: name });
  }

  #drop(subscription: Subscription | undefined): void {
    if (!subscription) return;
    subscription.connection.subscriptions.delete(subscription.name);
    if (subscription.kind === "event") this.#events.remove(subscription);
    else this.#states.remove(subscription);
  }

  #release(connection: Connection): void {
    this.#online?.changed();
    for (const subscription of connection.subscriptions.values()) this.#drop(subscription);
  }

  /**
   * The rights of these viewers may have changed: each is read again and every subscription asked
   * for anew. Deliveries to them wait meanwhile.
   */
  async rightsChanged(concerned: (viewer: Viewer) => boolean): Promise<void> {
    await Promise.all(
      [...this.#presence.identified()].filter((c) => c.viewer && concerned(c.viewer)).map((c) => this.#recheck(c)),
    );
  }

  async #recheck(connection: Connection): Promise<void> {
    this.#pause(connection);
    await connection
      .enqueue(async () => {
        const viewer = connection.viewer && (await this.#parts.refresh(connection.viewer));
        if (!viewer) return this.#presence.end(connection, closeCodes.sessionEnded, "the session ended");
        if (viewer.rights.epoch !== connection.viewer?.rights.epoch) connection.send({ type: "rights" });
        await this.#regrant(connection, viewer);
      })
      .catch((error) => {
        // Whether the rights still hold is not known, so nothing more is shown.
        this.#parts.log.error({ err: error }, "rights could not be checked again");
        this.#presence.end(connection, closeCodes.restart, "rights could not be checked: connect again");
      });
  }

  #pause(connection: Connection): void {
    connection.recheck ??= { lost: false };
    for (const subscription of connection.subscriptions.values()) {
      if (subscription.kind === "event") subscription.live = false;
      else this.#states.remove(subscription);
    }
  }

  async #regrant(connection: Connection, viewer: Viewer): Promise<void> {
    connection.viewer = viewer;
    this.#online?.changed();
    this.#pause(connection);
    for (const subscription of [...connection.subscriptions.values()]) {
      const grant = await grantOf(subscription.topic, subscription.key, subscription.name, viewer);
      if (connection.closed) return;
      if (isRefusal(grant)) {
        this.#drop(subscription);
        connection.send({ type: "revoked", topic: subscription.name, ...grant });
        continue;
      }
      const before = subscription.grant.class;
      subscription.grant = grant;
      if (subscription.kind === "state") this.#showState(subscription);
      // What was shown may have been stripped: another class of viewer reads the object anew.
      else if (grant.class !== before || connection.recheck?.lost === true) this.#goLive(subscription, "snapshot");
      else await this.#catchUp(subscription);
    }
    const lost = connection.recheck?.lost === true;
    connection.recheck = null;
    if (!lost) return;
    for (const subscription of connection.subscriptions.values())
      if (subscription.kind === "event") this.#goLive(subscription, "snapshot");
  }

  /** Closes every connection so that clients go elsewhere, then stops. */
  async close(): Promise<void> {
    this.#presence.endAll(closeCodes.restart, "the server restarts: connect again and resume");
    this.#online?.close();
    await Promise.all([this.#feed.close(), this.#states.close()]);
  }
}
