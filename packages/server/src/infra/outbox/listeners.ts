import { AsyncLocalStorage } from "node:async_hooks";
import type { EventListener } from "#core/feature.ts";
import type { Broker, EventMessage, Log, Subscription } from "#core/ports/index.ts";
import { createRecent } from "#core/recent.ts";
import { decodeEvent, subjectOf } from "./wire.ts";

/** The broker brings an event back within a second; with more ids in between a listener receives it twice. */
const rememberedIds = 10_000;

/**
 * Delivers events to the listeners of this process: those that it committed itself directly after the
 * commit, those of other processes from the broker. An event is delivered once, whichever way is first.
 */
export class EventListeners {
  readonly #log: Log;
  readonly #byType = new Map<string, EventListener[]>();
  readonly #all: EventListener[] = [];
  readonly #delivered = createRecent(rememberedIds);
  /** Listeners are no part of the request that committed, nor of its trace. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Listeners are called in the order in which they were added. */
  add(listeners: readonly EventListener[]): void {
    for (const listener of listeners) {
      const { id } = listener.event;
      this.#all.push(listener);
      this.#byType.set(id, [...(this.#byType.get(id) ?? []), listener]);
    }
  }

  /** Whether anything in this process listens to events of this type. */
  has(type: string): boolean {
    return this.#byType.has(type);
  }

  /** To be called after the commit. */
  deliver(message: EventMessage): void {
    if (this.#delivered.has(message.eventId)) return;
    this.#delivered.add(message.eventId);
    for (const listener of this.#byType.get(message.type) ?? []) {
      this.#call(message.type, () => listener.onEvent(message));
    }
  }

  /** From now on events of other processes are delivered too. Earlier ones, and those of an outage, count as missed. */
  subscribe(broker: Broker): Subscription {
    const open = [...this.#byType.keys()].map((type) =>
      broker.subscribe(subjectOf(type), ({ data }) => this.deliver(decodeEvent(data))),
    );
    const stop = broker.onStateChange(({ up }) => {
      if (up) this.#missed();
    });
    this.#missed();
    return {
      close: async () => {
        stop();
        await Promise.all(open.map((subscription) => subscription.close()));
      },
    };
  }

  #missed(): void {
    for (const listener of this.#all) this.#call(listener.event.id, () => listener.onMissed?.());
  }

  #call(event: string, work: () => void): void {
    try {
      this.#outside(work);
    } catch (error) {
      this.#log.error({ err: error, event }, "an event listener failed");
    }
  }
}
