import type { EventMessage } from "#core/ports/index.ts";

export interface StoredEvent {
  readonly seq: number;
  readonly bytes: number;
  readonly event: EventMessage;
}

/** The latest events of the stream, in order and without a gap, bounded in number and size. */
export class EventRing {
  readonly #maxEvents: number;
  readonly #maxBytes: number;
  #events: StoredEvent[] = [];
  /** Index of the first event in use; the dropped ones before it are removed from time to time. */
  #head = 0;
  #bytes = 0;

  constructor(maxEvents: number, maxBytes: number) {
    this.#maxEvents = maxEvents;
    this.#maxBytes = maxBytes;
  }

  get size(): number {
    return this.#events.length - this.#head;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Sequence of the oldest event, or null. */
  get first(): number | null {
    return this.#events[this.#head]?.seq ?? null;
  }

  push(event: StoredEvent): void {
    this.#events.push(event);
    this.#bytes += event.bytes;
    while (this.size > this.#maxEvents || (this.#bytes > this.#maxBytes && this.size > 1)) {
      this.#bytes -= this.#events[this.#head++]?.bytes ?? 0;
    }
    if (this.#head > this.#maxEvents) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
  }

  /** At most `max` events after `seq`. The caller has checked that the ring reaches back to it. */
  after(seq: number, max: number): StoredEvent[] {
    const first = this.first;
    if (first === null) return [];
    const start = this.#head + Math.max(0, seq + 1 - first);
    return this.#events.slice(start, start + max);
  }

  clear(): void {
    this.#events = [];
    this.#head = 0;
    this.#bytes = 0;
  }
}
