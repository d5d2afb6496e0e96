import { queries } from "#core/db/index.ts";
import type { EventReaction, Tx } from "#core/ports/index.ts";
import type { ScheduleTables } from "#infra/schedules/schedules.schema.ts";
import { freeAll } from "#infra/tasks/index.ts";
import { assignInstallationId } from "#infra/installation/index.ts";
import { newGeneration } from "#infra/outbox/generation.ts";
import type { InfrastructureTables } from "../db/infrastructure.schema.ts";

type Tables = InfrastructureTables & ScheduleTables;

export interface SettleInput {
  /** The new generation of the event stream. */
  readonly generation: string;
  /** The new id of the installation. */
  readonly installation: string;
  /** Milliseconds UTC. */
  readonly at: number;
  readonly reactions: readonly EventReaction[];
}

/**
 * Ends what was in progress when the backup was taken. Leases end, but keep their tokens so that none is
 * reused; runs of schedules end, and worker tasks that were running begin again; events that every reaction has handled stay sent, and the others are
 * published again into the new stream, where the inbox ensures that each effect happens once. The
 * database gets a new id, so that the former streams are not used.
 */
export async function finishRestore(tx: Tx, { generation, installation, at, reactions }: SettleInput): Promise<void> {
  const q = queries<Tables>(tx);
  await q.updateTable("leases").set({ expires_at: 0, owner: "restored" }).execute();
  await q.updateTable("outbox_events").set({ claimed_by: null, claimed_until: null }).execute();
  await q
    .updateTable("job_runs")
    .set({ outcome: "stopped", finished_at: at, message: "was running when the backup was taken" })
    .where("outcome", "in", ["running", "requested"])
    .execute();
  await freeAll(tx);
  await newGeneration(tx, generation, at);
  await assignInstallationId(tx, { id: installation, at, reactions });
}
