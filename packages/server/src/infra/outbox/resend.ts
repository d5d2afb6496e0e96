import { queries } from "#core/db/index.ts";
import type { EventReaction, Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

/**
 * Marks events as unsent that a reaction has not handled, for a stream that lost them. The inbox ensures
 * that each effect happens once; events that every reaction has handled stay sent.
 */
export async function resendUnhandled(tx: Tx, reactions: readonly EventReaction[]): Promise<void> {
  const q = queries<InfrastructureTables>(tx);
  for (const { consumer, event } of reactions) {
    await q
      .updateTable("outbox_events")
      .set({ sent_at: null })
      .where("type", "=", event.id)
      .where("event_id", "not in", q.selectFrom("outbox_inbox").select("event_id").where("consumer", "=", consumer))
      .execute();
  }
}
