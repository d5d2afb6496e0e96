import { queries } from "#core/db/index.ts";
import type { Database } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

const dayMs = 24 * 3_600_000;
const batch = 1000;

export const keepSentMs = dayMs;
/** Longer than the stream retains its messages, which may be delivered again until then. */
export const keepHandledMs = 7 * dayMs;

/** Deletes all rows published over a day ago and inbox rows over a week old, in batches. */
export async function cleanUp(db: Database): Promise<{ events: number; inbox: number }> {
  const events = await untilDone(() => deleteSent(db));
  const inbox = await untilDone(() => deleteHandled(db));
  return { events, inbox };
}

async function untilDone(step: () => Promise<number>): Promise<number> {
  let total = 0;
  for (;;) {
    const deleted = await step();
    total += deleted;
    if (deleted < batch) return total;
  }
}

function deleteSent(db: Database): Promise<number> {
  return db.write("outbox.cleanSent", async (tx) => {
    const before = (await db.now(tx)) - keepSentMs;
    const q = queries<InfrastructureTables>(tx);
    const rows = await q
      .selectFrom("outbox_events")
      .select("id")
      .where("sent_at", "<", before)
      .orderBy("sent_at")
      .limit(batch)
      .execute();
    if (rows.length === 0) return 0;
    await q
      .deleteFrom("outbox_events")
      .where(
        "id",
        "in",
        rows.map((r) => r.id),
      )
      .execute();
    return rows.length;
  });
}

function deleteHandled(db: Database): Promise<number> {
  return db.write("outbox.cleanHandled", async (tx) => {
    const before = (await db.now(tx)) - keepHandledMs;
    const q = queries<InfrastructureTables>(tx);
    const rows = await q
      .selectFrom("outbox_inbox")
      .select("event_id")
      .where("handled_at", "<", before)
      .orderBy("handled_at")
      .limit(batch)
      .execute();
    if (rows.length === 0) return 0;
    const ids = [...new Set(rows.map((r) => r.event_id))];
    await q.deleteFrom("outbox_inbox").where("event_id", "in", ids).where("handled_at", "<", before).execute();
    return rows.length;
  });
}
