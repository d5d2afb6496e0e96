import type { TopicDefinition } from "#core/contract/index.ts";
import type { Viewer } from "#core/actor.ts";
import type { Clock, StatePublisher } from "#core/ports/index.ts";

/** What a state topic tells about a viewer who is connected. */
export interface OnlineParts {
  readonly topic: TopicDefinition;
  /** `key` is unique to the viewer's character. `since` (ms UTC) is added to `data`. */
  of(viewer: Viewer): { readonly key: string; readonly data: object };
}

/** An entry that its process did not repeat for so long is forgotten: the process died. */
export const onlineMaxAgeMs = 30_000;
const repeatEveryMs = 10_000;
/** Comings and goings are told together. */
const settleMs = 250;

/**
 * Publishes who is connected to this process. Every process tells its own viewers, under keys that
 * end in its id, so that somebody who leaves one stays online in another.
 */
export class Online {
  readonly #clock: Clock;
  readonly #process: string;
  readonly #state: StatePublisher;
  readonly #viewers: () => Iterable<Viewer>;
  readonly #parts: OnlineParts;
  readonly #since = new Map<string, number>();
  readonly #told = new Map<string, string>();
  #waiting: { cancel(): void } | null = null;
  #repeating: { cancel(): void } | null = null;

  constructor(given: {
    readonly parts: OnlineParts;
    readonly clock: Clock;
    readonly process: string;
    readonly state: StatePublisher;
    readonly viewers: () => Iterable<Viewer>;
  }) {
    this.#parts = given.parts;
    this.#clock = given.clock;
    this.#process = given.process;
    this.#state = given.state;
    this.#viewers = given.viewers;
  }

  start(): void {
    this.#repeating = this.#clock.setTimeout(() => {
      this.#tell(true);
      this.start();
    }, repeatEveryMs);
  }

  /** Somebody came, left, or became somebody else. */
  changed(): void {
    this.#waiting ??= this.#clock.setTimeout(() => {
      this.#waiting = null;
      this.#tell(false);
    }, settleMs);
  }

  #tell(all: boolean): void {
    const { topic } = this.#parts;
    const now = new Map<string, { data: object; text: string }>();
    for (const viewer of this.#viewers()) {
      const found = this.#parts.of(viewer);
      const key = `${found.key}/${this.#process}`;
      const since = this.#since.get(key) ?? this.#clock.now();
      this.#since.set(key, since);
      const data = { ...found.data, since };
      now.set(key, { data, text: JSON.stringify(data) });
    }
    for (const key of this.#told.keys()) {
      if (now.has(key)) continue;
      this.#told.delete(key);
      this.#since.delete(key);
      this.#state.publish(topic, key, null);
    }
    for (const [key, { data, text }] of now) {
      if (!all && this.#told.get(key) === text) continue;
      this.#told.set(key, text);
      this.#state.publish(topic, key, data);
    }
  }

  close(): void {
    this.#waiting?.cancel();
    this.#repeating?.cancel();
  }
}
