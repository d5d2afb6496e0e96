import type { LatestTopic, MessageOf, StateTopic } from "#core/contract/index.ts";
import type { Broker, Clock, Ids, Log, Metrics, StatePublisher, Subscription } from "#core/ports/index.ts";
import type { StateSubscription } from "./connection.ts";
import { LatestBucket } from "./latest-bucket.ts";
import type { RealtimeLimits } from "./limits.ts";
import { StateGroup } from "./state-group.ts";
import type { Topic, TopicRegistry } from "./topics.ts";
import { type StateChange, StateValues } from "./values.ts";

/** Changes of one topic, sent between processes; null data removes. */
interface StateMessage {
  readonly topic: string;
  /** Published before: applies only where the receiver has nothing newer. */
  readonly repeat: boolean;
  readonly entries: ReadonlyArray<readonly [key: string, at: number, data: unknown]>;
}

interface TopicState {
  readonly topic: Topic;
  readonly definition: StateTopic;
  readonly values: StateValues;
  /** Null without `keepLatest`. */
  readonly latest: LatestBucket | null;
  /** By object key and class of viewers. */
  readonly groups: Map<string, StateGroup>;
  readonly outbox: Map<string, readonly [number, unknown]>;
  ticking: { cancel(): void } | null;
  /** Monotonic instant of the last frame. */
  tickedAt: number;
  forgetting: { readonly due: number; readonly timer: { cancel(): void } } | null;
}

const flushEveryMs = 50;
const entriesPerMessage = 500;
const longestWaitMs = 86_400_000;
const requestSubject = "state-request";

/**
 * State topics: the latest value per key in the memory of every process, synchronised by publish and
 * subscribe. A process that starts, or was disconnected, requests the values that the others published
 * themselves, and reads those of topics with `keepLatest` from their buckets, also when the publisher ended.
 * On a plain topic a viewer gets all keys; on `topic/:key` the key itself and keys that begin with `key/`.
 */
export class StateTopics implements StatePublisher {
  readonly #broker: Broker;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limits: RealtimeLimits;
  readonly #me: string;
  readonly #states = new Map<string, TopicState>();
  readonly #channels = new Map<number, StateGroup>();
  readonly #frames;
  readonly #open: Subscription[] = [];
  readonly #onOwnValue: (topic: string, character: number) => void;
  #nextChannel = 0;
  #flushing: { cancel(): void } | null = null;

  constructor(
    deps: { broker: Broker; clock: Clock; log: Log; ids: Ids; metrics: Metrics },
    registry: TopicRegistry,
    limits: RealtimeLimits,
    /** What this character may receive may have changed. */
    onOwnValue: (topic: string, character: number) => void,
  ) {
    this.#onOwnValue = onOwnValue;
    this.#broker = deps.broker;
    this.#clock = deps.clock;
    this.#log = deps.log;
    this.#limits = limits;
    this.#me = deps.ids.next();
    this.#frames = deps.metrics.counter("rollcall_realtime_state_frames_total", "State frames by outcome", ["outcome"]);
    for (const topic of registry.all) {
      const { definition } = topic;
      if (definition.kind !== "state") continue;
      const values = new StateValues(definition.maxAgeMs);
      const state: TopicState = {
        topic,
        definition,
        values,
        latest: definition.keepLatest
          ? new LatestBucket(deps, definition as LatestTopic, values, ({ key, at, data }) =>
              this.#apply(state, key, { at, data, own: false }),
            )
          : null,
        groups: new Map(),
        outbox: new Map(),
        ticking: null,
        tickedAt: Number.NEGATIVE_INFINITY,
        forgetting: null,
      };
      this.#states.set(definition.name, state);
    }
  }

  /** Resolves when the values of the buckets are in memory, or at once during an outage. */
  async start(): Promise<void> {
    this.#open.push(
      // The subject names the sender, so that what returns to it is not parsed.
      this.#broker.subscribe("state.>", ({ subject, data }) => {
        if (!subject.endsWith(`.${this.#me}`)) this.#receive(parse(data));
      }),
      this.#broker.subscribe(requestSubject, ({ data }) => {
        if ((parse(data) as { from?: string }).from !== this.#me) this.#repeat();
      }),
    );
    const request = () => this.#broadcast(requestSubject, { from: this.#me });
    if (this.#broker.state().up) request();
    const unlisten = this.#broker.onStateChange(({ up }) => {
      if (!up) return;
      request();
      // What was published during the outage did not reach the others.
      this.#repeat();
    });
    this.#open.push({ close: async () => unlisten() });
    await Promise.all([...this.#states.values()].map(async ({ latest }) => await latest?.start()));
  }

  publish<D extends StateTopic>(definition: D, key: string, data: MessageOf<D> | null): void {
    const state = this.#states.get(definition.name);
    if (!state) throw new Error(`${definition.name} is not a bound state topic`);
    const at = this.#clock.now();
    const decides = this.#apply(state, key, { at, data, own: true });
    state.outbox.set(key, [at, data]);
    state.latest?.published(key, decides || data === null);
    this.#flushing ??= this.#clock.setTimeout(() => this.#flush(), flushEveryMs);
  }

  touch(definition: StateTopic, key: string, decides: boolean): void {
    const state = this.#states.get(definition.name);
    const character = decides ? (state?.topic.binding.ownValues?.characterOf(key) ?? null) : null;
    if (state && character !== null) this.#onOwnValue(definition.name, character);
    if (state?.values.present.has(key)) this.#changed(state, key);
  }

  value<D extends StateTopic>(definition: D, key: string): MessageOf<D> | null {
    return (this.#states.get(definition.name)?.values.present.get(key)?.data ?? null) as MessageOf<D> | null;
  }

  publishedAt(definition: StateTopic, key: string): number | null {
    return this.#states.get(definition.name)?.values.present.get(key)?.at ?? null;
  }

  *values<D extends StateTopic>(definition: D): Iterable<readonly [string, MessageOf<D>]> {
    const present = this.#states.get(definition.name)?.values.present ?? new Map<string, StateChange>();
    for (const [key, { data }] of present) yield [key, data as MessageOf<D>];
  }

  #flush(): void {
    this.#flushing = null;
    for (const state of this.#states.values()) {
      const entries = [...state.outbox].map(([key, [at, data]]) => [key, at, data] as const);
      state.outbox.clear();
      this.#share(state, entries, false);
    }
  }

  #repeat(): void {
    for (const state of this.#states.values()) {
      const own = state.values.all.filter(([, change]) => change.own);
      this.#share(
        state,
        own.map(([key, { at, data }]) => [key, at, data] as const),
        true,
      );
    }
  }

  #share(state: TopicState, entries: StateMessage["entries"], repeat: boolean): void {
    const { name } = state.topic.definition;
    const subject = `state.${name.replaceAll(/[^A-Za-z0-9_-]+/g, "-")}.${this.#me}`;
    for (let i = 0; i < entries.length; i += entriesPerMessage) {
      this.#broadcast(subject, {
        topic: name,
        repeat,
        entries: entries.slice(i, i + entriesPerMessage),
      });
    }
  }

  /** Dropped while the broker is down: values are repeated when it is back. */
  #broadcast(subject: string, message: object): void {
    this.#broker.publish(subject, Buffer.from(JSON.stringify(message))).catch((error) => {
      this.#log.debug({ err: error, subject }, "state was not shared with other processes");
    });
  }

  #receive(message: StateMessage): void {
    const state = this.#states.get(message.topic);
    if (!state) return;
    const now = this.#clock.now();
    for (const [key, at, data] of message.entries) {
      if (message.repeat && !state.values.isNews(key, at, now)) continue;
      const removesOwn = data === null && state.values.present.get(key)?.own === true;
      this.#apply(state, key, { data, at, own: false });
      // This process may have written its value again after the other one deleted it.
      if (removesOwn) state.latest?.published(key);
      else state.latest?.received(key);
    }
  }

  /** True when the change decides what its character may receive. */
  #apply(state: TopicState, key: string, change: StateChange): boolean {
    const before = state.values.present.get(key)?.data ?? null;
    state.values.set(key, change);
    this.#forgetLater(state, change.at);
    const decides = this.#decided(state, key, before, change.data ?? null);
    this.#changed(state, key);
    return decides;
  }

  #decided({ topic }: TopicState, key: string, before: unknown, after: unknown): boolean {
    const { ownValues } = topic.binding;
    const character = ownValues?.characterOf(key) ?? null;
    if (!ownValues || character === null || ownValues.aspectOf(before) === ownValues.aspectOf(after)) return false;
    this.#onOwnValue(topic.definition.name, character);
    return true;
  }

  #changed(state: TopicState, key: string): void {
    for (const [name, group] of state.groups) if (concerns(state.topic, name, key)) group.dirty.add(key);
    if (state.groups.size > 0) this.#scheduleTick(state);
  }

  /** Adds a viewer: calls `announce` with the channel, then sends the full frame. */
  add(subscription: StateSubscription, announce: (channel: number) => void): void {
    const state = this.#stateOf(subscription);
    const name = groupName(subscription);
    let group = state.groups.get(name);
    if (!group) {
      group = new StateGroup(this.#channel(), state.topic.fields, subscription.grant);
      this.#channels.set(group.channel, group);
      state.groups.set(name, group);
      for (const key of state.values.present.keys()) if (concerns(state.topic, name, key)) group.dirty.add(key);
      this.#tick(state, group);
    }
    // What changed since the last frame may be hidden now, and must not be in the first frame of a new viewer.
    if (group.dirty.size > 0) this.#tick(state, group);
    announce(group.channel);
    group.members.set(subscription, this.#send(subscription, group.full(this.#clock.now())));
  }

  /**
   * Continues after a check of the rights. Who missed frames gets a full one: the frames that were missed may show what
   * has been hidden since.
   */
  resume(subscription: StateSubscription): void {
    subscription.paused = false;
    const state = this.#stateOf(subscription);
    const fresh = state.groups.get(groupName(subscription))?.members.get(subscription);
    if (fresh === false) this.#scheduleTick(state);
  }

  remove(subscription: StateSubscription): void {
    const state = this.#stateOf(subscription);
    for (const [name, group] of state.groups) {
      if (!group.members.delete(subscription) || group.members.size > 0) continue;
      state.groups.delete(name);
      this.#channels.delete(group.channel);
    }
  }

  #stateOf(subscription: StateSubscription): TopicState {
    return this.#states.get(subscription.topic.definition.name) as TopicState;
  }

  #channel(): number {
    do this.#nextChannel = (this.#nextChannel + 1) % 65_536;
    while (this.#channels.has(this.#nextChannel));
    return this.#nextChannel;
  }

  /** At once when the last frame is long enough ago, so that many changes a second make frames at the full rate. */
  #scheduleTick(state: TopicState): void {
    const ms = Math.max(0, state.tickedAt + 1000 / state.definition.rate - this.#clock.monotonic());
    state.ticking ??= this.#clock.setTimeout(() => {
      state.ticking = null;
      state.tickedAt = this.#clock.monotonic();
      let behind = false;
      for (const group of state.groups.values()) behind = this.#tick(state, group) || behind;
      if (behind) this.#scheduleTick(state);
    }, ms);
  }

  /** True when a member that is not paused still needs a full frame. */
  #tick(state: TopicState, group: StateGroup): boolean {
    const now = this.#clock.now();
    const delta = this.#guarded(group, () => group.delta(state.values.present, now));
    let full: Uint8Array | null = null;
    let behind = false;
    for (const [subscription, fresh] of group.members) {
      if (fresh && !delta) continue;
      const sent = this.#send(subscription, fresh && delta ? delta : (full ??= group.full(now)));
      group.members.set(subscription, sent);
      behind ||= !sent && !subscription.paused;
    }
    return behind;
  }

  #guarded(group: StateGroup, work: () => Uint8Array | null): Uint8Array | null {
    try {
      return work();
    } catch (error) {
      group.dirty.clear();
      this.#log.error({ err: error }, "a state could not be sent");
      return null;
    }
  }

  #send(subscription: StateSubscription, frame: Uint8Array): boolean {
    const { connection } = subscription;
    if (connection.modeEnded(this.#clock)) subscription.paused = true;
    if (subscription.paused) return false;
    if (connection.closed || connection.socket.backlog > this.#limits.stateBacklogBytes) {
      this.#frames.inc({ outcome: "dropped" });
      return false;
    }
    connection.socket.sendBinary(frame);
    connection.sentAt = this.#clock.monotonic();
    this.#frames.inc({ outcome: "sent" });
    return true;
  }

  /** Of values that were published at `at`; one timer per topic, for the oldest. */
  #forgetLater(state: TopicState, at: number): void {
    const due = at + state.definition.maxAgeMs;
    if (state.forgetting && state.forgetting.due <= due) return;
    state.forgetting?.timer.cancel();
    const ms = Math.min(longestWaitMs, Math.max(1, due - this.#clock.now()));
    const timer = this.#clock.setTimeout(() => {
      state.forgetting = null;
      for (const [key, data] of state.values.forget(this.#clock.now())) {
        this.#decided(state, key, data, null);
        this.#changed(state, key);
      }
      const { oldest } = state.values;
      if (oldest !== null) this.#forgetLater(state, oldest);
    }, ms);
    state.forgetting = { due, timer };
  }

  async close(): Promise<void> {
    this.#flushing?.cancel();
    this.#flush();
    for (const { ticking, forgetting } of this.#states.values()) {
      ticking?.cancel();
      forgetting?.timer.cancel();
    }
    await Promise.all([...this.#states.values()].map(async ({ latest }) => await latest?.close()));
    await Promise.all(this.#open.map((s) => s.close()));
  }
}

function groupName({ topic, key, grant }: StateSubscription): string {
  return topic.keyed ? `${encodeURIComponent(key ?? "")} ${grant.class}` : ` ${grant.class}`;
}

function concerns(topic: Topic, group: string, key: string): boolean {
  if (!topic.keyed) return true;
  const wanted = decodeURIComponent(group.slice(0, group.indexOf(" ")));
  return key === wanted || key.startsWith(`${wanted}/`);
}

function parse(data: Uint8Array): StateMessage {
  return JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()) as StateMessage;
}
