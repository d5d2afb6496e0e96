import type { Clock, EventMessage, Log, Metrics, TopicGrant } from "#core/ports/index.ts";
import type { EventSubscription } from "./connection.ts";
import type { EventFeed } from "./feed.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { StoredEvent } from "./ring.ts";
import type { Topic } from "./topics.ts";

/** What a topic shows of an event, by object key; null is the key of a plain topic. */
type Projected = ReadonlyMap<string | null, unknown>;

const nothing: Projected = new Map();

const encoder = new TextEncoder();

/** What one event looks like to one class of viewers; frames differ only in `prev`. */
class ClassView {
  readonly #head: string;
  readonly #tail: string;
  readonly #frames = new Map<number, Uint8Array>();

  constructor(name: string, epoch: string, stored: StoredEvent, data: unknown) {
    const { seq, event } = stored;
    this.#head = `{"type":"event","topic":${JSON.stringify(name)},"epoch":${JSON.stringify(epoch)},"seq":${seq},"prev":`;
    this.#tail = `,"kind":${JSON.stringify(event.type)},"at":${event.at},"data":${JSON.stringify(data)}}`;
  }

  frame(prev: number): Uint8Array {
    let frame = this.#frames.get(prev);
    if (!frame) this.#frames.set(prev, (frame = encoder.encode(this.#head + prev + this.#tail)));
    return frame;
  }
}

/** Event topics: who listens to what, and each event to all of them, computed once per class of viewers. */
export class EventFanout {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #limits: RealtimeLimits;
  readonly #slow: (subscription: EventSubscription) => void;
  readonly #byTopic = new Map<Topic, Map<string | null, Set<EventSubscription>>>();
  readonly #sent;
  readonly #delay;

  constructor(log: Log, clock: Clock, metrics: Metrics, limits: RealtimeLimits, slow: (subscription: EventSubscription) => void) {
    this.#log = log;
    this.#clock = clock;
    this.#limits = limits;
    this.#slow = slow;
    this.#sent = metrics.counter("rollcall_realtime_events_sent_total", "Events sent to subscribers");
    this.#delay = metrics.histogram("rollcall_realtime_delay_seconds", "From the change of an event to its sending", []);
  }

  add(subscription: EventSubscription): void {
    const byKey = this.#byTopic.get(subscription.topic) ?? new Map<string | null, Set<EventSubscription>>();
    this.#byTopic.set(subscription.topic, byKey);
    const set = byKey.get(subscription.key) ?? new Set();
    byKey.set(subscription.key, set.add(subscription));
  }

  remove(subscription: EventSubscription): void {
    const byKey = this.#byTopic.get(subscription.topic);
    const set = byKey?.get(subscription.key);
    set?.delete(subscription);
    if (set?.size === 0) byKey?.delete(subscription.key);
    if (byKey?.size === 0) this.#byTopic.delete(subscription.topic);
  }

  *all(): Iterable<EventSubscription> {
    for (const byKey of this.#byTopic.values()) for (const set of byKey.values()) yield* set;
  }

  /** A new event of the stream. */
  spread(epoch: string, stored: StoredEvent): void {
    for (const [topic, byKey] of this.#byTopic) {
      for (const [key, data] of this.#project(topic, stored.event)) {
        const set = byKey.get(key);
        if (set) this.#toAll(set, epoch, stored, data);
      }
    }
    this.#delay.observe({}, Math.max(0, this.#clock.now() - stored.event.at) / 1000);
  }

  #toAll(set: ReadonlySet<EventSubscription>, epoch: string, stored: StoredEvent, data: unknown): void {
    const views = new Map<string, ClassView | null>();
    for (const subscription of set) {
      if (!subscription.live || stored.seq <= subscription.position) continue;
      const { grant, name } = subscription;
      let view = views.get(grant.class);
      if (view === undefined) views.set(grant.class, (view = this.#view(grant, name, epoch, stored, data)));
      this.#deliver(subscription, stored.seq, view);
    }
  }

  /** One event to one subscription that catches up. */
  replay(subscription: EventSubscription, epoch: string, stored: StoredEvent): void {
    if (stored.seq <= subscription.position) return;
    const projected = this.#project(subscription.topic, stored.event);
    const { grant, name, key } = subscription;
    const view = projected.has(key) ? this.#view(grant, name, epoch, stored, projected.get(key)) : null;
    this.#deliver(subscription, stored.seq, view);
  }

  /**
   * Sends what lies between the subscription's position and now, then lets it go live. False when
   * that is too much or was removed meanwhile.
   */
  async catchUp(subscription: EventSubscription, feed: EventFeed): Promise<boolean> {
    const epoch = feed.position?.epoch;
    let budget = this.#limits.resumeEvents;
    for (;;) {
      const at = feed.position;
      if (!at || at.epoch !== epoch) return false;
      const first = feed.ring.first;
      if (subscription.position >= at.seq || (first !== null && subscription.position + 1 >= first)) break;
      const older = await feed.older(subscription.position);
      if (older[0]?.seq !== subscription.position + 1 || (budget -= older.length) < 0) return false;
      if (feed.position?.epoch !== epoch) return false;
      for (const stored of older) this.replay(subscription, at.epoch, stored);
    }
    for (const stored of feed.ring.after(subscription.position)) this.replay(subscription, epoch, stored);
    subscription.live = true;
    return true;
  }

  #deliver(subscription: EventSubscription, seq: number, view: ClassView | null): void {
    subscription.position = seq;
    const { connection } = subscription;
    if (view === null || connection.closed) return;
    if (connection.socket.backlog > this.#limits.slowReaderBytes) return this.#slow(subscription);
    connection.socket.sendText(view.frame(subscription.prev));
    connection.toldAt = this.#clock.monotonic();
    subscription.prev = seq;
    this.#sent.inc();
  }

  #project(topic: Topic, event: EventMessage): Projected {
    try {
      const shown = topic.binding.project?.(event) ?? [];
      return shown.length === 0 ? nothing : new Map(shown.map(({ key, data }) => [topic.keyed ? key : null, data]));
    } catch (error) {
      this.#log.error(
        { err: error, topic: topic.definition.name, event: event.type, eventId: event.eventId },
        "an event could not be shown on a topic",
      );
      return nothing;
    }
  }

  /** A view that fails hides the message: showing it unfiltered would be worse than missing it. */
  #view(grant: TopicGrant, name: string, epoch: string, stored: StoredEvent, data: unknown): ClassView | null {
    try {
      const seen = grant.view(data);
      return seen === null || seen === undefined ? null : new ClassView(name, epoch, stored, seen);
    } catch (error) {
      this.#log.error(
        { err: error, topic: name, eventId: stored.event.eventId },
        "an event could not be filtered for its viewers",
      );
      return null;
    }
  }
}
