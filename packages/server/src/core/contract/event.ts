import { type Static, type TSchema, Type } from "typebox";
import { OneOf } from "./ids.ts";

/**
 * Something that happened, written to the outbox in the transaction of the change.
 * `id` is `<feature>.<pastTense>`; `version` is the schema version of the payload, and readers
 * accept the version before it.
 */
export interface EventDefinition<P extends TSchema = TSchema, Part extends string = string> {
  readonly id: string;
  readonly version: number;
  readonly payload: P;
  /** The parts of its objects that the payload names as changed (`changedParts`). */
  readonly parts?: readonly Part[];
}

export function defineEvent<P extends TSchema, const Part extends string = never>(
  definition: EventDefinition<P, Part>,
): EventDefinition<P, Part> {
  return definition;
}

export type PayloadOf<D extends EventDefinition> = Static<D["payload"]>;

/** A part that the payload of an event may name as changed. */
export type PartOf<D extends EventDefinition> = NonNullable<D["parts"]>[number];

/** For payloads: the parts that changed. Left out where that is not known, and by earlier versions: then any may have. */
export function changedParts<const Parts extends readonly string[]>(parts: Parts) {
  return Type.Optional(Type.Array(OneOf(parts)));
}
