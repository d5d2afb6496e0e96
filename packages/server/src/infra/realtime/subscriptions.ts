import { realtimeErrors } from "#core/contract/index.ts";
import type { Log, Metrics, TopicGrant } from "#core/ports/index.ts";
import {
  type ChangedObjects,
  type Connection,
  type EventSubscription,
  isAmong,
  type StateSubscription,
  type Subscription,
} from "./connection.ts";
import type { EventFanout } from "./fanout.ts";
import type { EventFeed } from "./feed.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { Resumes } from "./resume.ts";
import { grantOf, isRefusal, type RefusalMessage, refusal, type Subscriber } from "./grants.ts";
import type { StateTopics } from "./state.ts";
import type { TopicRegistry } from "./topics.ts";

interface StreamPosition {
  readonly epoch: string;
  readonly seq: number;
}

export interface SubscriptionsOptions {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly limits: RealtimeLimits;
  readonly topics: TopicRegistry;
  readonly feed: EventFeed;
  readonly resumes: Resumes;
  readonly events: EventFanout;
  readonly states: StateTopics;
}

/** Starts, resumes, pauses and ends the subscriptions of all connections. */
export class Subscriptions {
  readonly #log: Log;
  readonly #limits: RealtimeLimits;
  readonly #topics: TopicRegistry;
  readonly #feed: EventFeed;
  readonly #resumes: Resumes;
  readonly #events: EventFanout;
  readonly #states: StateTopics;
  readonly #outcomes;

  constructor({ log, metrics, limits, topics, feed, resumes, events, states }: SubscriptionsOptions) {
    this.#log = log;
    this.#limits = limits;
    this.#topics = topics;
    this.#feed = feed;
    this.#resumes = resumes;
    this.#events = events;
    this.#states = states;
    this.#outcomes = metrics.counter("rollcall_realtime_subscribes_total", "Subscriptions by outcome", ["mode"]);
  }

  async subscribe(connection: Connection, subscriber: Subscriber, name: string, after?: StreamPosition): Promise<void> {
    const refuse = ({ code, params }: RefusalMessage) => {
      this.#outcomes.inc({ mode: "refused" });
      connection.send({ type: "refused", topic: name, code, params });
    };
    const found = this.#topics.find(name);
    if (!found) return refuse(refusal(realtimeErrors.unknownTopic, { topic: name }));
    const limit = this.#limits.subscriptionsPerConnection;
    if (connection.subscriptions.size >= limit && !connection.subscriptions.has(name)) {
      return refuse(refusal(realtimeErrors.tooManySubscriptions, { limit }));
    }
    connection.subscribing = found;
    const grant = await grantOf(found.topic, found.key, name, subscriber).finally(() => (connection.subscribing = null));
    if (isRefusal(grant)) return refuse(grant);
    if (connection.closed) return;
    this.#remove(connection.subscriptions.get(name));
    const common = { name, topic: found.topic, key: found.key, connection, grant };
    if (found.topic.definition.kind === "state") {
      const subscription: StateSubscription = { kind: "state", ...common, paused: connection.recheck !== null };
      connection.subscriptions.set(name, subscription);
      this.#startState(subscription);
    } else await this.#startEvents({ kind: "event", ...common, position: 0, prev: 0, live: false }, after);
  }

  unsubscribe(connection: Connection, name: string): void {
    this.#remove(connection.subscriptions.get(name));
    connection.send({ type: "unsubscribed", topic: name });
  }

  removeAll(connection: Connection): void {
    for (const subscription of connection.subscriptions.values()) this.#remove(subscription);
  }

  follow(connection: Connection, objects: ChangedObjects): boolean {
    const { subscribing, subscriptions } = connection;
    return [...subscriptions.values(), ...(subscribing ? [subscribing] : [])].some(
      ({ topic, key }) => topic.definition.name === objects.of && isAmong(objects, key),
    );
  }

  /** The stream was lost: every event subscription continues with a snapshot. */
  restart(): void {
    for (const subscription of this.#events.all()) {
      const { recheck } = subscription.connection;
      if (recheck) recheck.lost = true;
      else this.#goLive(subscription, "snapshot");
    }
  }

  /** Sends nothing more to the connection until `regrant`. */
  pause(connection: Connection): void {
    for (const subscription of connection.subscriptions.values()) {
      if (subscription.kind === "event") subscription.live = false;
      else subscription.paused = true;
    }
  }

  /** Authorizes every subscription again with the current rights, and continues or revokes it. */
  async regrant(connection: Connection, subscriber: Subscriber): Promise<void> {
    const { rechecks } = connection;
    for (const subscription of [...connection.subscriptions.values()]) {
      const grant = await grantOf(subscription.topic, subscription.key, subscription.name, subscriber);
      // When another recheck began, that one continues what is left: these rights may be outdated.
      if (connection.closed || connection.rechecks !== rechecks) return;
      if (isRefusal(grant)) {
        this.#remove(subscription);
        connection.send({ type: "revoked", topic: subscription.name, ...grant });
        continue;
      }
      const before = subscription.grant.class;
      if (subscription.kind === "state") {
        this.#regrantState(subscription, grant);
        continue;
      }
      subscription.grant = grant;
      // Earlier messages may have been filtered differently, so another class of viewer loads the object again.
      if (grant.class !== before || connection.recheck?.lost === true) this.#goLive(subscription, "snapshot");
      else await this.#catchUp(subscription);
    }
    const lost = connection.recheck?.lost === true;
    connection.recheck = null;
    if (!lost) return;
    for (const subscription of connection.subscriptions.values())
      if (subscription.kind === "event") this.#goLive(subscription, "snapshot");
  }

  /** Another class of viewer starts on another channel. */
  #regrantState(subscription: StateSubscription, grant: TopicGrant): void {
    if (grant.class === subscription.grant.class) return this.#states.resume(subscription);
    this.#states.remove(subscription);
    subscription.grant = grant;
    subscription.paused = false;
    this.#startState(subscription);
  }

  #startState(subscription: StateSubscription): void {
    this.#states.add(subscription, (channel) => {
      this.#outcomes.inc({ mode: "state" });
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

  async #startEvents(subscription: EventSubscription, after?: StreamPosition): Promise<void> {
    const { connection } = subscription;
    connection.subscriptions.set(subscription.name, subscription);
    this.#events.add(subscription);
    if (!after) {
      this.#goLive(subscription, "live");
      // It was authorized before the check that has begun, so `regrant` sends what comes meanwhile.
      if (connection.recheck !== null) subscription.live = false;
      return;
    }
    await this.#resumes.inTurn(connection.owner, () => this.#resume(subscription, after));
  }

  async #resume(subscription: EventSubscription, after: StreamPosition): Promise<void> {
    const { connection } = subscription;
    const resumable = await this.#canResume(after);
    // The subscription may have been ended, replaced or restarted during the wait.
    if (connection.closed || subscription.live || connection.subscriptions.get(subscription.name) !== subscription) return;
    const behind = (this.#feed.position?.seq ?? 0) - after.seq;
    const affordable = resumable && this.#resumes.affords(connection.owner, behind);
    const { recheck } = connection;
    if (!affordable && recheck === null) return this.#goLive(subscription, "snapshot");
    if (!affordable && recheck !== null) return void (recheck.lost = true);
    subscription.position = subscription.prev = after.seq;
    this.#announce(subscription, "resumed", after);
    // During a recheck of the rights, `regrant` sends the rest.
    if (recheck === null) await this.#catchUp(subscription);
  }

  async #canResume(after: StreamPosition): Promise<boolean> {
    try {
      return await this.#feed.canResume(after);
    } catch (error) {
      this.#log.debug({ err: error }, "a position could not be checked");
      return false;
    }
  }

  async #catchUp(subscription: EventSubscription): Promise<void> {
    const end = await this.#events.catchUp(subscription, this.#feed).catch((error: unknown) => {
      this.#log.warn({ err: error, topic: subscription.name }, "missed events could not be read");
      return "lost" as const;
    });
    if (end === "lost" && !subscription.connection.closed) this.#goLive(subscription, "snapshot");
  }

  /** Continues at the broker's current position, which is older than anything the client reads from SQL afterwards. */
  #goLive(subscription: EventSubscription, mode: "live" | "snapshot"): void {
    const at = this.#feed.position ?? { epoch: "", seq: 0 };
    subscription.position = subscription.prev = at.seq;
    subscription.live = true;
    this.#announce(subscription, mode, at);
  }

  #announce({ connection, name }: EventSubscription, mode: "live" | "snapshot" | "resumed", at: StreamPosition): void {
    this.#outcomes.inc({ mode });
    connection.send({ type: "subscribed", topic: name, mode, epoch: at.epoch, seq: at.seq, channel: null });
  }

  #remove(subscription: Subscription | undefined): void {
    if (!subscription) return;
    subscription.connection.subscriptions.delete(subscription.name);
    if (subscription.kind === "event") this.#events.remove(subscription);
    else this.#states.remove(subscription);
  }
}
