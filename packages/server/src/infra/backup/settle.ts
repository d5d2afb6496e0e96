import { queries } from "#core/db/index.ts";
import type { EventReaction, Tx } from "#core/ports/index.ts";
import type { JobTables } from "#infra/jobs/jobs.schema.ts";
import { newGeneration } from "#infra/outbox/generation.ts";
import type { InfrastructureTables } from "../db/infrastructure.schema.ts";

type Tables = InfrastructureTables & JobTables;

export interface SettleInput {
  /** Names the state from now on. */
  readonly generation: string;
  /** Milliseconds UTC. */
  readonly at: number;
  readonly reactions: readonly EventReaction[];
}

/**
 * What was under way when the backup was taken is nobody's now. Leases end, with their tokens kept so that none repeats;
 * runs of jobs end; events that every reaction has handled stay sent, and those that some has not are
 * published again into the new stream, where the inbox keeps each effect to once.
 */
export async function settle(tx: Tx, { generation, at, reactions }: SettleInput): Promise<void> {
  const q = queries<Tables>(tx);
  await q.updateTable("leases").set({ expires_at: 0, owner: "restored" }).execute();
  await q.updateTable("outbox_events").set({ claimed_by: null, claimed_until: null }).execute();
  for (const { consumer, event } of reactions) {
    await q
      .updateTable("outbox_events")
      .set({ sent_at: null })
      .where("type", "=", event.id)
      .where("event_id", "not in", q.selectFrom("outbox_inbox").select("event_id").where("consumer", "=", consumer))
      .execute();
  }
  await q
    .updateTable("job_runs")
    .set({ outcome: "stopped", finished_at: at, message: "was under way when the backup was taken" })
    .where("outcome", "in", ["running", "requested"])
    .execute();
  await newGeneration(tx, generation, at);
}
