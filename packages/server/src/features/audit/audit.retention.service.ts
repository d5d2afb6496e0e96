import type { Actor } from "#core/actor.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "./audit.api.ts";
import { removeEntries, removePostings, removeWords, wordDayMs } from "./audit.repo.ts";

const dayMs = 24 * 60 * 60_000;
/** Rows of one unit of work: small, so that writers wait for milliseconds. */
const rowsAtOnce = 2000;

export interface RetentionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: Pick<AuditApi, "record">;
  readonly retentionDays: number;
}

export function createRetention({ db, clock, audit, retentionDays }: RetentionDeps) {
  async function until(done: (affected: number) => boolean, step: () => Promise<number>, signal?: AbortSignal): Promise<number> {
    for (let total = 0; ;) {
      const affected = await step();
      total += affected;
      if (done(affected) || signal?.aborted === true) return total;
    }
  }

  /** Removes everything older than the retention, in small steps, until done; returns how many entries went. */
  return async function prune(actor: Actor, signal?: AbortSignal): Promise<number> {
    const cutoff = clock.now() - retentionDays * dayMs;
    const entries = async () => await db.write("audit.retention", async (tx) => await removeEntries(tx, cutoff, rowsAtOnce));
    const removed = await until((n) => n < rowsAtOnce, entries, signal);
    const postings = async () =>
      await db.write("audit.retention", async (tx) => Number(await removePostings(tx, cutoff, rowsAtOnce)));
    await until((n) => n === 0, postings, signal);
    const words = async () =>
      await db.write("audit.retention", async (tx) => await removeWords(tx, cutoff - 2 * wordDayMs, rowsAtOnce));
    await until((n) => n < rowsAtOnce, words, signal);
    if (removed > 0) {
      const info = { removed, until: new Date(cutoff).toISOString(), retentionDays };
      await db.write("audit.retention", async (tx) => await audit.record(tx, actor, { action: "audit.retention", info }));
    }
    return removed;
  };
}
