import type { TSchema } from "typebox";
import type { Access } from "./access.ts";

/**
 * A live topic of `/api/realtime`.
 * `event`: every message counts, in order, with gap detection and resume.
 * `state`: the latest value wins, drops are allowed.
 * The name may end in `/:key` (one object), for example `citizens/:id`.
 */
export interface TopicDefinition<P extends TSchema = TSchema> {
  readonly name: string;
  readonly kind: "event" | "state";
  readonly access: Access;
  readonly message: P;
  /** An example message for the documentation; must satisfy the schema. */
  readonly example?: unknown;
}

export function defineTopic<P extends TSchema>(definition: TopicDefinition<P>): TopicDefinition<P> {
  return definition;
}
