import type { LatestTopic, MessageOf, StateTopic, TopicDefinition } from "../contract/topic.ts";
import type { LinkActor, Viewer } from "../actor.ts";
import type { EventDefinition } from "../contract/event.ts";
import type { EventMessage } from "./outbox.ts";

/**
 * Says after which event the access to which objects may have ended or changed: an access list was edited, an
 * object was deleted. Who has a topic or socket of one of them open is authorized again, and nobody else.
 */
export interface ObjectRecheck<D extends EventDefinition = EventDefinition> {
  readonly event: D;
  /** The keys of these objects, as in the name of the topic; null for all and for a topic without a key. Pure. */
  keysOf(message: EventMessage<D>): readonly string[] | null;
}

/** The same for an event that changes what single characters receive: only their connections are authorized again. */
export interface CharacterRecheck<D extends EventDefinition = EventDefinition> {
  readonly event: D;
  /** Pure. */
  charactersOf(message: EventMessage<D>): readonly number[];
}

/**
 * A state topic whose values decide what single viewers may receive, as the own place of a person does. When the
 * aspect of a value changes, the connections of its character are authorized again, before anything else is sent.
 */
export interface OwnValues {
  /** The character whose value has this key; null for none. Pure. */
  characterOf(key: string): number | null;
  /** What decides of a value; null for no value. Equal aspects are equal texts. Pure. */
  aspectOf(data: unknown): string;
}

/**
 * How a feature serves a topic of `/api/realtime`. The transport handles sequence numbers, epochs,
 * gaps, resume and slow readers; the feature decides who may subscribe and what they see.
 */
export interface TopicBinding<D extends TopicDefinition = TopicDefinition> {
  readonly topic: D;
  /**
   * Called on subscribe and again whenever the viewer's rights change. `key` is the part after the
   * slash, null for a plain topic. Null refuses; otherwise the grant filters every message.
   */
  authorize(viewer: Viewer, key: string | null): Promise<TopicGrant | null>;
  /** The same for the links that open this topic, and again whenever the link may have ended. */
  authorizeLink?(link: LinkActor, key: string | null): Promise<TopicGrant | null>;
  /**
   * Event topics: what this topic publishes of a stored event, one entry per object key (null on a
   * plain topic), empty for nothing. Pure and without I/O: runs once per event and process.
   */
  project?(event: EventMessage): readonly { readonly key: string | null; readonly data: unknown }[];
  /** Left out where only the rights of the viewer decide, which are checked again without it. */
  readonly rechecks?: readonly (ObjectRecheck | CharacterRecheck)[];
  readonly ownValues?: OwnValues;
}

export interface TopicGrant {
  /** Viewers with an equal `class` share one result of `view`. */
  readonly class: string;
  /** Removes what this viewer may not see; null hides the message. */
  view(data: unknown): unknown;
}

/** Publishes to state topics: the latest value per key wins, null removes it. Never passes through SQL. */
export interface StatePublisher {
  publish<D extends StateTopic>(topic: D, key: string, data: MessageOf<D> | null): void;
  /**
   * What viewers get of the value of this key may have changed, although the value has not. `decides`: also what its
   * character gets of others, so that its connections are authorized again. In this process.
   */
  touch(topic: StateTopic, key: string, decides: boolean): void;
  /** The latest value that this process knows; null for none. */
  value<D extends StateTopic>(topic: D, key: string): MessageOf<D> | null;
  /** When that value was published, milliseconds UTC; null for none. */
  publishedAt(topic: StateTopic, key: string): number | null;
  /** All of them, by key. */
  values<D extends StateTopic>(topic: D): Iterable<readonly [key: string, data: MessageOf<D>]>;
}

/**
 * Reads the latest values of state topics with `keepLatest`, in any process and whichever process
 * published them. A value can be read within `1 / rate` seconds after it was published. Throws
 * `BrokerUnavailable` during an outage.
 */
export interface LatestValues {
  /** Null when there is none, or when it is as old as `maxAgeMs`. */
  get<D extends LatestTopic>(topic: D, key: string): Promise<LatestValue<MessageOf<D>> | null>;
  /** The values of all keys that begin with `prefix`, ordered by key. */
  list<D extends LatestTopic>(topic: D, prefix?: string): Promise<Array<LatestValue<MessageOf<D>>>>;
}

export interface LatestValue<T> {
  readonly key: string;
  readonly value: T;
  /** Time since it was published. */
  readonly ageMs: number;
}
