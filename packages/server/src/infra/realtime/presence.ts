import type { StateTopic } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { Clock, StatePublisher } from "#core/ports/index.ts";

/** What is published on a state topic about a viewer who is online. */
export interface PresenceOptions {
  readonly topic: StateTopic;
  /** `key` is unique to the viewer's character. `since` (ms UTC) is added to `data`. */
  of(viewer: Viewer): { readonly key: string; readonly data: object };
}

/** An entry is repeated this many times within the topic's `maxAgeMs`, after which that of a dead process is forgotten. */
const repeats = 3;
/** Changes within this time are published together. */
const settleMs = 250;

/**
 * Publishes who is connected to this process. Keys end in the id of the process, so that a viewer who
 * disconnects from one process stays online through another.
 */
export class Presence {
  readonly #clock: Clock;
  readonly #process: string;
  readonly #state: StatePublisher;
  readonly #viewers: () => Iterable<Viewer>;
  readonly #presence: PresenceOptions;
  readonly #since = new Map<string, number>();
  readonly #published = new Map<string, string>();
  #waiting: { cancel(): void } | null = null;
  #repeating: { cancel(): void } | null = null;

  constructor(options: {
    readonly presence: PresenceOptions;
    readonly clock: Clock;
    readonly process: string;
    readonly state: StatePublisher;
    readonly viewers: () => Iterable<Viewer>;
  }) {
    this.#presence = options.presence;
    this.#clock = options.clock;
    this.#process = options.process;
    this.#state = options.state;
    this.#viewers = options.viewers;
  }

  start(): void {
    this.#repeating = this.#clock.setTimeout(() => {
      this.#publish(true);
      this.start();
    }, this.#presence.topic.maxAgeMs / repeats);
  }

  /** After a viewer connected, disconnected or changed. */
  publishSoon(): void {
    this.#waiting ??= this.#clock.setTimeout(() => {
      this.#waiting = null;
      this.#publish(false);
    }, settleMs);
  }

  #publish(all: boolean): void {
    const { topic } = this.#presence;
    const now = new Map<string, { data: object; text: string }>();
    for (const viewer of this.#viewers()) {
      const found = this.#presence.of(viewer);
      const key = `${found.key}/${this.#process}`;
      const since = this.#since.get(key) ?? this.#clock.now();
      this.#since.set(key, since);
      const data = { ...found.data, since };
      now.set(key, { data, text: JSON.stringify(data) });
    }
    for (const key of this.#published.keys()) {
      if (now.has(key)) continue;
      this.#published.delete(key);
      this.#since.delete(key);
      this.#state.publish(topic, key, null);
    }
    for (const [key, { data, text }] of now) {
      if (!all && this.#published.get(key) === text) continue;
      this.#published.set(key, text);
      this.#state.publish(topic, key, data);
    }
  }

  close(): void {
    this.#waiting?.cancel();
    this.#repeating?.cancel();
  }
}
