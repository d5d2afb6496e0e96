import type { Broker, BrokerState, Clock, Log, StreamInfo, StreamMessage, Subscription } from "#core/ports/index.ts";
import { decodeEvent, eventStream } from "../outbox/wire.ts";
import type { RealtimeLimits } from "./limits.ts";
import { EventRing, type StoredEvent } from "./ring.ts";

export interface FeedHooks {
  event(stored: StoredEvent, storedAt: number): void;
  /** Earlier positions are invalid. */
  lost(): void;
  /** Events are received from now on, or are not. */
  state(up: boolean, since: number): void;
}

/** The only reader of the event stream in this process: its current position and the latest events. */
export class EventFeed {
  readonly ring: EventRing;
  readonly #broker: Broker;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #limits: RealtimeLimits;
  readonly #hooks: FeedHooks;
  readonly #stop = new AbortController();
  #reader: Subscription | null = null;
  #position: { epoch: string; seq: number } | null = null;
  /** What `hooks.state` was called with last; clients that sign in get `up` itself. */
  #announced = false;
  #unlisten = () => {};

  constructor(broker: Broker, clock: Clock, log: Log, limits: RealtimeLimits, hooks: FeedHooks) {
    this.#broker = broker;
    this.#clock = clock;
    this.#log = log;
    this.#limits = limits;
    this.#hooks = hooks;
    this.ring = new EventRing(limits.ringEvents, limits.ringBytes);
  }

  /** Null until the stream was read for the first time. */
  get position(): { readonly epoch: string; readonly seq: number } | null {
    return this.#position;
  }

  get up(): boolean {
    return this.#position !== null && this.#broker.state().up;
  }

  /** Resolves when the position is known, or at once if the broker is down: then it retries in the background. */
  async start(): Promise<void> {
    this.#unlisten = this.#broker.onStateChange(({ since }: BrokerState) => this.#announce(since));
    try {
      await this.#open();
    } catch (error) {
      this.#log.warn({ err: error }, "events cannot be read yet");
      void this.#openLater();
    }
  }

  async #openLater(): Promise<void> {
    while (!this.#stop.signal.aborted && !this.#position) {
      await this.#clock.sleep(500, this.#stop.signal).catch(() => {});
      if (this.#stop.signal.aborted) return;
      try {
        await this.#open();
      } catch (error) {
        this.#log.debug({ err: error }, "events cannot be read yet");
      }
    }
  }

  async #open(): Promise<void> {
    const info = await this.#broker.streamInfo(eventStream.name);
    this.#position = { epoch: info.epoch, seq: info.last };
    // Pages may be open already: they get the position before the first event, which follows it.
    this.#hooks.lost();
    try {
      this.#reader = await this.#broker.consume(
        eventStream.name,
        { start: { seq: info.last + 1 }, onReset: (now) => this.#reset(now) },
        async (message) => this.#receive(message),
      );
    } catch (error) {
      this.#position = null;
      throw error;
    }
    if (this.#stop.signal.aborted) await this.#reader.close();
    else this.#announce(this.#clock.now());
  }

  #announce(since: number): void {
    if (this.up === this.#announced) return;
    this.#announced = this.up;
    this.#hooks.state(this.up, since);
  }

  #reset(info: StreamInfo): void {
    this.ring.clear();
    this.#position = { epoch: info.epoch, seq: info.first - 1 };
    this.#hooks.lost();
  }

  #receive(message: StreamMessage): void {
    const at = this.#position;
    if (!at || message.seq <= at.seq) return;
    this.#position = { epoch: at.epoch, seq: message.seq };
    try {
      const stored = { seq: message.seq, bytes: message.data.byteLength, event: decodeEvent(message.data) };
      this.ring.push(stored);
      this.#hooks.event(stored, message.at);
    } catch (error) {
      // Reading it again would fail again; the change itself is stored in SQL.
      this.#log.error({ err: error, seq: message.seq }, "an event could not be published");
      this.ring.clear();
    }
  }

  /** Whether a subscription can continue after this position; queries the broker only for positions outside the ring. */
  async canResume(after: { epoch: string; seq: number }): Promise<boolean> {
    const at = this.#position;
    if (!at || after.epoch !== at.epoch) return false;
    const first = this.ring.first;
    if (first !== null && after.seq + 1 >= first && after.seq <= at.seq) return true;
    if (after.seq === at.seq) return true;
    const info = await this.#broker.streamInfo(eventStream.name);
    if (info.epoch !== after.epoch || after.seq > info.last || after.seq + 1 < info.first) return false;
    return at.seq - after.seq <= this.#limits.resumeEvents;
  }

  /** Events after `seq` from the broker, for those no longer in the ring. Empty when there are none. */
  async older(seq: number): Promise<StoredEvent[]> {
    const messages = await this.#broker.read(eventStream.name, seq + 1, 200);
    return messages.map((m) => ({ seq: m.seq, bytes: m.data.byteLength, event: decodeEvent(m.data) }));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#unlisten();
    await this.#reader?.close();
  }
}
