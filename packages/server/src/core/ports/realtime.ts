import type { TopicDefinition } from "../contract/topic.ts";
import type { Viewer } from "../actor.ts";
import type { EventMessage } from "./outbox.ts";

/**
 * How a feature feeds a topic of `/api/realtime`. The transport owns sequence numbers, epochs,
 * gaps, resume and slow readers; the feature says who may listen and what they see.
 */
export interface TopicBinding<D extends TopicDefinition = TopicDefinition> {
  readonly topic: D;
  /**
   * Asked on subscribe and again whenever the viewer's rights change. `key` is the part after the
   * slash, null for a plain topic. Null refuses; otherwise the answer filters every message.
   */
  authorize(viewer: Viewer, key: string | null): Promise<TopicGrant | null>;
  /**
   * Event topics: what this topic shows of a stored event, one entry per object key (null on a
   * plain topic), empty when it shows nothing. Pure and without I/O: runs once per event and process.
   */
  project?(event: EventMessage): readonly { readonly key: string | null; readonly data: unknown }[];
}

export interface TopicGrant {
  /** Strips what this viewer may not see; null hides the message. Viewers with equal `class` share one result. */
  readonly class: string;
  view(data: unknown): unknown;
}

/** State topics are fed here: the latest value per key wins. Never passes through SQL. */
export interface StatePublisher {
  publish(topic: TopicDefinition, key: string, data: unknown): void;
}
