import { queries } from "#core/db/index.ts";
import {
  type Clock,
  type EventMessage,
  type Ids,
  maxPayloadBytes,
  type Outbox,
  PayloadTooLarge,
  type Tracing,
  type Tx,
} from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import type { EventListeners } from "./listeners.ts";

export interface OutboxOptions {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tracing?: Tracing;
  /** Called after a commit with events; without it, as in a command next to the server, the relay finds them by polling. */
  readonly committed?: () => void;
  /** Those of this process. */
  readonly listeners?: EventListeners;
}

const eventIdPattern = /^[a-z][A-Za-z0-9_-]*\.[A-Za-z0-9_-]+$/;

/** Writes events as rows of `outbox_events` in the transaction of their change. */
export function createOutbox({ clock, ids, tracing, committed, listeners }: OutboxOptions): Outbox {
  const nudged = new WeakSet<Tx>();
  return {
    async emit(tx, event, message) {
      if (!eventIdPattern.test(event.id)) throw new TypeError(`"${event.id}" is not an event id: use <feature>.<pastTense>`);
      const payload = JSON.stringify(message.payload);
      const size = Buffer.byteLength(payload);
      if (size > maxPayloadBytes) {
        throw new PayloadTooLarge(
          `${event.id} of ${message.key}: ${size} bytes of payload, at most ${maxPayloadBytes}; use a reference instead`,
        );
      }
      const emitted = {
        eventId: ids.next(),
        type: event.id,
        schemaVersion: event.version,
        key: message.key,
        version: message.version,
        at: clock.now(),
      };
      const trace = tracing?.traceparent() ?? null;
      await queries<InfrastructureTables>(tx)
        .insertInto("outbox_events")
        .values({
          event_id: emitted.eventId,
          type: emitted.type,
          schema_version: emitted.schemaVersion,
          agg_key: emitted.key,
          version: emitted.version,
          payload,
          created_at: emitted.at,
          trace,
        })
        .execute();
      if (listeners?.has(event.id)) {
        tx.afterCommit(() =>
          listeners.deliver({
            ...emitted,
            // As the broker would bring it: the caller may change its own later.
            payload: JSON.parse(payload) as EventMessage["payload"],
            ...(trace === null ? {} : { trace }),
          }),
        );
      }
      if (!committed || nudged.has(tx)) return;
      nudged.add(tx);
      tx.afterCommit(committed);
    },
  };
}
