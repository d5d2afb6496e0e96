import { queries } from "#core/db/index.ts";
import { type Clock, type Ids, maxPayloadBytes, type Outbox, PayloadTooLarge, type Tracing, type Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

export interface OutboxParts {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly tracing?: Tracing;
  /** Told after the commit of events; a program beside the server leaves it out and is found by polling. */
  readonly committed?: () => void;
}

const eventId = /^[a-z][A-Za-z0-9_-]*\.[A-Za-z0-9_-]+$/;

/** Writes events as rows of `outbox_events` in the transaction of their change. */
export function createOutbox({ clock, ids, tracing, committed }: OutboxParts): Outbox {
  const nudged = new WeakSet<Tx>();
  return {
    async emit(tx, event, message) {
      if (!eventId.test(event.id)) throw new TypeError(`"${event.id}" is no event id: write <feature>.<pastTense>`);
      const payload = JSON.stringify(message.payload);
      const size = Buffer.byteLength(payload);
      if (size > maxPayloadBytes) {
        throw new PayloadTooLarge(
          `${event.id} of ${message.key}: ${size} bytes of payload, at most ${maxPayloadBytes}; carry a reference instead`,
        );
      }
      await queries<InfrastructureTables>(tx)
        .insertInto("outbox_events")
        .values({
          event_id: ids.next(),
          type: event.id,
          schema_version: event.version,
          agg_key: message.key,
          version: message.version,
          payload,
          created_at: clock.now(),
          trace: tracing?.traceparent() ?? null,
        })
        .execute();
      if (!committed || nudged.has(tx)) return;
      nudged.add(tx);
      tx.afterCommit(committed);
    },
  };
}
