import { closeCodes, type ClientMessage, type Position } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { Broker, StatePublisher, TopicBinding } from "#core/ports/index.ts";
import type { ChangedObjects, Connection, SocketProtocol } from "./connection.ts";
import { EventFanout } from "./fanout.ts";
import { EventFeed } from "./feed.ts";
import { defaultLimits, type RealtimeLimits } from "./limits.ts";
import type { Subscriber } from "./grants.ts";
import { Presence, type PresenceOptions } from "./presence.ts";
import { Resumes } from "./resume.ts";
import { type SessionsOptions, type SocketHandler, SocketSessions } from "./sessions.ts";
import type { RealtimeSocket } from "./socket.ts";
import { StateTopics } from "./state.ts";
import { Subscriptions } from "./subscriptions.ts";
import { TopicRegistry } from "./topics.ts";

export interface RealtimeOptions extends SessionsOptions {
  readonly broker: Broker;
  readonly bindings: readonly TopicBinding[];
  readonly limits?: Partial<RealtimeLimits>;
  /** Publishes who is online; left out, nothing is published. */
  readonly presence?: PresenceOptions;
}

/** The server side of `/api/realtime`, without the transport. */
export class RealtimeHub implements SocketProtocol {
  readonly limits: RealtimeLimits;
  /** The connections of `/api/realtime` and of the sockets of features. */
  readonly sessions: SocketSessions;
  readonly pendingBytes = 0;
  readonly #feed: EventFeed;
  readonly #states: StateTopics;
  readonly #subscriptions: Subscriptions;
  readonly #presence: Presence | null;

  constructor(options: RealtimeOptions) {
    const { broker, clock, log, metrics, presence } = options;
    const limits = (this.limits = { ...defaultLimits, ...options.limits });
    const topics = new TopicRegistry(options.bindings);
    this.sessions = new SocketSessions(options, limits, () => this.#presence?.publishSoon());
    const { connections } = this.sessions;
    const resumes = new Resumes(clock, limits);
    const events = new EventFanout(options, limits, resumes, ({ connection }) =>
      connections.end(connection, closeCodes.slowReader, "read too slowly: connect again and resume"),
    );
    this.#states = new StateTopics(options, topics, limits, (topic, character) => {
      void this.sessions.characterChanged(topic, character);
    });
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
      state: (up, since) => connections.broadcast({ type: "feed", up, since }),
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
    metrics.gauge("rollcall_realtime_ring_events", "Events kept in memory for resuming", () => this.#feed.ring.size);
  }

  get messagesPerMinute(): number {
    return this.limits.messagesPerMinute;
  }

  /** For features that publish states. */
  get state(): StatePublisher {
    return this.#states;
  }

  /** How far the events were read; null before they were. */
  get position(): Position | null {
    return this.#feed.position;
  }

  /** One for each connection that signed in. */
  viewers(): Viewer[] {
    return this.sessions.viewers();
  }

  async start(): Promise<void> {
    const states = this.#states.start();
    this.sessions.start();
    this.#presence?.start();
    await Promise.all([states, this.#feed.start()]);
  }

  /** `network` is the client's network; call `sessions.admit` before the socket is accepted. */
  open(socket: RealtimeSocket, network: string): SocketHandler {
    return this.sessions.open(socket, network, this);
  }

  ready() {
    const { subscriptionsPerConnection: subscriptions, frameBytes } = this.limits;
    return { feed: this.#feed.up, limits: { subscriptions, frameBytes } };
  }

  async message(connection: Connection, subscriber: Subscriber, message: ClientMessage): Promise<undefined> {
    if (message.type === "subscribe") await this.#subscriptions.subscribe(connection, subscriber, message.topic, message.after);
    if (message.type === "unsubscribe") this.#subscriptions.unsubscribe(connection, message.topic);
  }

  follows(connection: Connection, objects: ChangedObjects): boolean {
    return this.#subscriptions.follow(connection, objects);
  }

  pause(connection: Connection): void {
    this.#subscriptions.pause(connection);
  }

  async regrant(connection: Connection, subscriber: Subscriber): Promise<void> {
    await this.#subscriptions.regrant(connection, subscriber);
  }

  closed(connection: Connection): void {
    this.#subscriptions.removeAll(connection);
  }

  /** Closes every connection, so that clients connect to another server, then stops. */
  async close(): Promise<void> {
    this.sessions.endAll();
    this.#presence?.close();
    await Promise.all([this.#feed.close(), this.#states.close()]);
  }
}
