import type { Static, TSchema } from "typebox";
import type { Access } from "./access.ts";
import type { OperationDefinition } from "./operation.ts";

interface Declared<P extends TSchema> {
  /** May end in `/:key` (one object), for example `citizens/:id`. */
  readonly name: string;
  readonly access: Access;
  readonly message: P;
  /** An example message for the documentation; must satisfy the schema. */
  readonly example?: unknown;
}

/**
 * Answers that browsers keep and that the messages of a topic bring up to date without another call. A message is
 * `{ items }`, each item with `id`, `version`, `deleted` and every field of the answer's objects.
 */
export interface CarriedAnswers {
  /** Each answers with one object or with a page of them. */
  readonly answers: readonly OperationDefinition[];
  /** Fields of the answers that the items lack, because another topic keeps them up to date. */
  readonly apart?: readonly string[];
}

/**
 * Answers that browsers keep and that a message makes stale: those on screen are called again. Of an operation with a
 * parameter that the topic's key or the message names too, that is only the answer to the same value.
 */
export interface StaleAnswers {
  readonly answers: readonly OperationDefinition[];
  /** Only answers that hold an object with the message's `id`. */
  readonly holding?: true;
}

/**
 * Answers with `items` that a message completes before they are read again: `created` of the message holds new objects,
 * each with every field of the items. What only one viewer may do is left empty in them. The topic makes these answers
 * stale, too.
 */
export interface PreviewedAnswers {
  readonly answers: readonly OperationDefinition[];
}

/** A live topic of `/api/realtime` of which every message counts, in order, with gap detection and resume. */
export interface EventTopic<P extends TSchema = TSchema> extends Declared<P> {
  readonly kind: "event";
  readonly carries?: CarriedAnswers;
  readonly invalidates?: StaleAnswers;
  readonly previews?: PreviewedAnswers;
}

/** A live topic of `/api/realtime` of which the latest value of a key wins; drops are allowed. */
export interface StateTopic<P extends TSchema = TSchema> extends Declared<P> {
  readonly kind: "state";
  /** Frames per second and viewer; with `keepLatest` also writes per second and key. */
  readonly rate: number;
  /** A value that is not published again for this long is forgotten. */
  readonly maxAgeMs: number;
  /**
   * The broker keeps the latest value of each key, so that it outlives the process that published it and
   * every process can read it (`LatestValues`). Without it, values are only in the memory of processes.
   */
  readonly keepLatest: boolean;
  /**
   * With `keepLatest`: how long a value may lie behind on the broker, so that one that changes all the time is written less
   * often than it is shown. A removal, and what changes who may see it, is written at once. Default: `1000 / rate`.
   */
  readonly keepEveryMs?: number;
  /** Numbers that browsers move between two reports: on a line, or as an angle in degrees. */
  readonly moves?: Readonly<Record<string, "line" | "angle">>;
}

export interface LatestTopic<P extends TSchema = TSchema> extends StateTopic<P> {
  readonly keepLatest: true;
}

export type TopicDefinition<P extends TSchema = TSchema> = EventTopic<P> | StateTopic<P>;
export type MessageOf<D extends TopicDefinition> = Static<D["message"]>;

type DeclaredState<P extends TSchema> = Declared<P> & { readonly kind: "state" } & Partial<
    Pick<StateTopic<P>, "rate" | "maxAgeMs" | "keepLatest" | "keepEveryMs" | "moves">
  >;

const stateDefaults = { rate: 4, maxAgeMs: 15 * 60_000, keepLatest: false };

export function defineTopic<P extends TSchema>(topic: EventTopic<P>): EventTopic<P>;
export function defineTopic<P extends TSchema>(topic: DeclaredState<P> & { readonly keepLatest: true }): LatestTopic<P>;
export function defineTopic<P extends TSchema>(topic: DeclaredState<P>): StateTopic<P>;
export function defineTopic<P extends TSchema>(topic: EventTopic<P> | DeclaredState<P>): TopicDefinition<P> {
  if (topic.kind === "event") return topic;
  const state: StateTopic<P> = { ...stateDefaults, ...topic };
  if (!(state.rate > 0)) throw new RangeError(`topic ${topic.name}: rate must be more than 0`);
  // Servers of NATS accept no shorter age.
  if (!(state.maxAgeMs >= 100)) throw new RangeError(`topic ${topic.name}: maxAgeMs must be at least 100`);
  return state;
}
