import type { Static, TSchema } from "typebox";

/**
 * Something that happened, written to the outbox in the transaction of the change.
 * `id` is `<feature>.<pastTense>`; `version` is the schema version of the payload, and readers
 * accept the version before it.
 */
export interface EventDefinition<P extends TSchema = TSchema> {
  readonly id: string;
  readonly version: number;
  readonly payload: P;
}

export function defineEvent<P extends TSchema>(definition: EventDefinition<P>): EventDefinition<P> {
  return definition;
}

export type PayloadOf<D extends EventDefinition> = Static<D["payload"]>;
