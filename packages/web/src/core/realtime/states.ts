import { stateFields, StateTable, type MessageOf, type StateTopic } from "@rollcall/server/contract/core";
import type { Clock } from "#core/clock.ts";
import { nameOf } from "./answers.ts";
import { createTracks, type Tracks } from "./interpolation.ts";
import type { Topics } from "./topics.ts";

export interface StateOf<T> {
  readonly value: T;
  /** When it was reported, by the server's clock. Milliseconds since 1970. */
  readonly at: number;
}

/** What is known of a state topic at one moment; another object after each change. */
export interface Values<T> {
  readonly values: ReadonlyMap<string, StateOf<T>>;
  /** False until the first full frame, and from a loss of the connection until the next one. */
  readonly known: boolean;
}

/** The values of one state topic by key, shared by all who show them. */
export interface LiveState<T> {
  now(): Values<T>;
  /** Values between two reports, for what moves. */
  readonly tracks: Tracks;
  /** Calls back after each frame until the returned function is called. */
  subscribe(listener: () => void): () => void;
}

export interface LiveStates {
  of<D extends StateTopic>(topic: D, key?: string | number): LiveState<MessageOf<D>>;
}

/** A topic that nobody shows any more is kept for this long, so that the next page has its values at once. Milliseconds. */
const LINGER = 10_000;

export function createStates(topics: Pick<Topics, "listen">, clock: Clock): LiveStates {
  const states = new Map<string, TopicState<unknown>>();
  return {
    of<D extends StateTopic>(topic: D, key?: string | number) {
      const name = nameOf(topic, key);
      const found = states.get(name) ?? new TopicState<unknown>(topic, name, topics, clock);
      states.set(name, found);
      return found as LiveState<unknown> as LiveState<MessageOf<D>>;
    },
  };
}

class TopicState<T> implements LiveState<T> {
  readonly tracks: Tracks;
  readonly #topic: StateTopic;
  readonly #name: string;
  readonly #topics: Pick<Topics, "listen">;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #table: StateTable;
  #known = false;
  #now: Values<T> | null = null;
  #stop: (() => void) | null = null;
  #cancel: () => void = () => {};

  constructor(topic: StateTopic, name: string, topics: Pick<Topics, "listen">, clock: Clock) {
    this.#topic = topic;
    this.#name = name;
    this.#topics = topics;
    this.#clock = clock;
    this.#table = this.#emptyTable();
    this.tracks = createTracks(topic.moves ?? {}, 1000 / topic.rate);
  }

  now(): Values<T> {
    // The table changes in place, and is copied only for those who show all of it.
    this.#now ??= { values: new Map(this.#table.values) as ReadonlyMap<string, StateOf<T>>, known: this.#known };
    return this.#now;
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    this.#cancel();
    this.#stop ??= this.#topics.listen(this.#name, {
      onEvent: () => undefined,
      onSnapshot: (position) => this.#restart(position === null),
      onFrame: (frame) => this.#receive(frame),
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.#cancel = this.#clock.after(LINGER, () => this.#end());
    };
  }

  #end(): void {
    if (this.#listeners.size > 0) return;
    this.#stop?.();
    this.#stop = null;
    this.#restart(true);
  }

  #emptyTable(): StateTable {
    return new StateTable(stateFields(this.#topic.message));
  }

  /** A full frame follows, and what is shown stays until then; after `revoked` nothing may be shown any more. */
  #restart(revoked: boolean): void {
    if (revoked) {
      this.#table = this.#emptyTable();
      this.tracks.clear();
    }
    this.#become(false);
  }

  #receive(frame: Uint8Array): void {
    const touched = this.#table.apply(frame);
    const now = this.#clock.now();
    for (const key of touched) this.tracks.report(key, this.#table.values.get(key)?.value ?? null, now);
    this.#become(true);
  }

  #become(known: boolean): void {
    this.#known = known;
    this.#now = null;
    for (const listener of [...this.#listeners]) listener();
  }
}
