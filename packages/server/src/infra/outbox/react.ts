import { DuplicateKey, queries } from "#core/db/index.ts";
import type { Database, EventMessage, EventReaction, Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

/** Records the event as handled by this consumer; false when it was recorded before. */
async function isFirst(db: Pick<Database, "now">, tx: Tx, consumer: string, eventId: string): Promise<boolean> {
  try {
    const handled_at = await db.now(tx);
    await queries<InfrastructureTables>(tx)
      .insertInto("outbox_inbox")
      .values({ consumer, event_id: eventId, handled_at })
      .execute();
    return true;
  } catch (error) {
    if (error instanceof DuplicateKey) return false;
    throw error;
  }
}

/** Handles the event in `tx`, unless this consumer has handled it. */
export async function react(
  db: Pick<Database, "now">,
  tx: Tx,
  reaction: EventReaction,
  message: EventMessage,
): Promise<"done" | "duplicate"> {
  if (!(await isFirst(db, tx, reaction.consumer, message.eventId))) return "duplicate";
  await reaction.handle(tx, message);
  return "done";
}
