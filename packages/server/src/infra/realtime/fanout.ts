import type { Clock, EventMessage, Log, Metrics, TopicGrant } from "#core/ports/index.ts";
import type { EventSubscription } from "./connection.ts";
import type { EventFeed } from "./feed.ts";
import type { RealtimeLimits } from "./limits.ts";
import type { Resumes } from "./resume.ts";
import type { StoredEvent } from "./ring.ts";
import type { Topic } from "./topics.ts";

/** What a topic publishes of an event, by object key; null is the key of a plain topic. */
type Projected = ReadonlyMap<string | null, unknown>;

const nothing: Projected = new Map();

/** Events of a resume that are sent before other work gets its turn. */
const eventsAtOnce = 25;

const encoder = new TextEncoder();

/** One event as one class of viewers sees it; its frames differ only in `prev`. */
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

/** Event topics: sends each event to all subscribers, computed once per class of viewers. */
export class EventFanout {
  readonly #log: Log;
  readonly #clock: Clock;
  readonly #limits: RealtimeLimits;
  readonly #resumes: Resumes;
  readonly #slow: (subscription: EventSubscription) => void;
  readonly #byTopic = new Map<Topic, Map<string | null, Set<EventSubscription>>>();
  readonly #sent;
  readonly #delay;

  constructor(
    { log, clock, metrics }: { readonly log: Log; readonly clock: Clock; readonly metrics: Metrics },
    limits: RealtimeLimits,
    resumes: Resumes,
    slow: (subscription: EventSubscription) => void,
  ) {
    this.#log = log;
    this.#clock = clock;
    this.#limits = limits;
    this.#resumes = resumes;
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

  /** Sends a new event of the stream. */
  publish(epoch: string, stored: StoredEvent): void {
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

  /** Sends one stored event to a subscription that is still reading what it missed; returns the number of bytes sent. */
  #replay(subscription: EventSubscription, epoch: string, stored: StoredEvent): number {
    if (stored.seq <= subscription.position) return 0;
    const projected = this.#project(subscription.topic, stored.event);
    const { grant, name, key } = subscription;
    const view = projected.has(key) ? this.#view(grant, name, epoch, stored, projected.get(key)) : null;
    return this.#deliver(subscription, stored.seq, view);
  }

  /**
   * Sends the events between the subscription's position and now, a few at a time, then makes it live.
   * `lost` when there are too many or some are gone from the stream; `ended` when the subscription was
   * closed or restarted meanwhile.
   */
  async catchUp(subscription: EventSubscription, feed: EventFeed): Promise<"live" | "lost" | "ended"> {
    const { connection } = subscription;
    const epoch = feed.position?.epoch;
    const { rechecks } = connection;
    let fromBroker = this.#limits.resumeEvents;
    for (;;) {
      if (connection.closed || subscription.live || connection.rechecks !== rechecks) return "ended";
      const at = feed.position;
      if (!at || at.epoch !== epoch) return "lost";
      if (subscription.position >= at.seq) {
        subscription.live = true;
        return "live";
      }
      const first = feed.ring.first;
      const inRing = first !== null && subscription.position + 1 >= first;
      const next = inRing ? feed.ring.after(subscription.position, eventsAtOnce) : await feed.older(subscription.position);
      if (next[0]?.seq !== subscription.position + 1) return "lost";
      if (!inRing && (fromBroker -= next.length) < 0) return "lost";
      if (!inRing && (feed.position?.epoch !== epoch || connection.rechecks !== rechecks)) continue;
      if (!this.#replayAll(subscription, at.epoch, next)) return "lost";
      // Lets other work run between two chunks.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** False when the account has used up its resume budget, or the connection does not keep up. */
  #replayAll(subscription: EventSubscription, epoch: string, events: readonly StoredEvent[]): boolean {
    const { connection } = subscription;
    const { owner } = connection;
    for (const stored of events) {
      if (connection.socket.backlog > this.#limits.slowReaderBytes / 2) return false;
      if (!this.#resumes.consume(owner, 1, this.#replay(subscription, epoch, stored))) return false;
    }
    return true;
  }

  /** Returns the number of bytes sent. */
  #deliver(subscription: EventSubscription, seq: number, view: ClassView | null): number {
    const { connection } = subscription;
    if (connection.modeEnded(this.#clock)) return 0;
    subscription.position = seq;
    if (view === null || connection.closed) return 0;
    if (connection.socket.backlog > this.#limits.slowReaderBytes) {
      this.#slow(subscription);
      return 0;
    }
    const frame = view.frame(subscription.prev);
    connection.socket.sendText(frame);
    connection.sentAt = this.#clock.monotonic();
    subscription.prev = seq;
    this.#sent.inc();
    return frame.byteLength;
  }

  #project(topic: Topic, event: EventMessage): Projected {
    try {
      const projected = topic.binding.project?.(event) ?? [];
      return projected.length === 0 ? nothing : new Map(projected.map(({ key, data }) => [topic.keyed ? key : null, data]));
    } catch (error) {
      this.#log.error(
        { err: error, topic: topic.definition.name, event: event.type, eventId: event.eventId },
        "an event could not be projected to a topic",
      );
      return nothing;
    }
  }

  /** If the view fails, the message is hidden rather than sent unfiltered. */
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
