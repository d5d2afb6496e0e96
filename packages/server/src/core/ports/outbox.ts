import type { EventDefinition, PayloadOf } from "../contract/event.ts";
import type { Tx } from "./database.ts";

/** One event as consumers receive it. */
export interface EventMessage<D extends EventDefinition = EventDefinition> {
  readonly eventId: string;
  readonly type: string;
  readonly schemaVersion: number;
  /** The object it is about; events of a key are ordered by `version`. */
  readonly key: string;
  readonly version: number;
  readonly at: number;
  readonly payload: PayloadOf<D>;
  /** W3C `traceparent` of its cause, if that is traced. */
  readonly trace?: string;
}

/** Largest payload of an event, in bytes of its JSON. */
export const maxPayloadBytes = 256_000;

export class PayloadTooLarge extends Error {
  override name = "PayloadTooLarge";
}

/**
 * Writes events in the transaction of their change and publishes them after the commit.
 * Payloads stay under 256 kB, else `PayloadTooLarge` is thrown and the change rolls back.
 */
export interface Outbox {
  emit<D extends EventDefinition>(
    tx: Tx,
    event: D,
    message: { key: string; version: number; payload: PayloadOf<D> },
  ): Promise<void>;
}

/** A feature's reaction to an event: runs once per event, in its own unit of work. */
export interface EventReaction<D extends EventDefinition = EventDefinition> {
  /** Unique and stable: the name under which handled events are recorded. */
  readonly consumer: string;
  readonly event: D;
  handle(tx: Tx, message: EventMessage<D>): Promise<void>;
}

export function reactTo<D extends EventDefinition>(reaction: EventReaction<D>): EventReaction {
  return reaction;
}
