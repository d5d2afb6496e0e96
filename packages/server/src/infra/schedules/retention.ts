import type { Actor } from "#core/actor.ts";
import type { Clock, Database, Log, Metrics, Tx } from "#core/ports/index.ts";
import { type BoundStep, RetentionFailed, type RetentionHandler, type RetentionRunner } from "#core/retention.ts";

const rowsAtOnce = 500;

export interface RetentionOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Writes an audit entry. */
  readonly record: (tx: Tx, actor: Actor, entry: { readonly action: string; readonly info: unknown }) => Promise<void>;
}

interface Run {
  readonly actor: Actor;
  /** Milliseconds UTC. */
  readonly before: number;
}

export function createRetentionRunner({ db, clock, log, metrics, record }: RetentionOptions): RetentionRunner {
  const removed = metrics.counter("rollcall_retention_removed_total", "Rows deleted by retention", ["feature", "kind"]);

  async function audit(tx: Tx, id: string, { kind, audited }: BoundStep, run: Run, count: number): Promise<void> {
    if (count === 0 || audited !== true) return;
    const info = { kind, removed: count, until: new Date(run.before).toISOString() };
    await record(tx, run.actor, { action: id, info });
  }

  /** The audit entry is in the transaction of the rows; for data outside the database it is written after the removal. */
  async function runUnit(id: string, step: BoundStep, run: Run): Promise<number> {
    const limit = step.atOnce ?? rowsAtOnce;
    let count: number;
    if ("remove" in step) {
      count = await db.write(id, async (tx) => {
        const deleted = await step.remove(tx, run.before, limit);
        await audit(tx, id, step, run, deleted);
        return deleted;
      });
    } else {
      count = await step.removeApart(run.before, limit);
      if (count > 0 && step.audited === true) await db.write(id, async (tx) => await audit(tx, id, step, run, count));
    }
    removed.inc({ feature: id.split(".", 1)[0] ?? "", kind: step.kind }, count);
    return count;
  }

  /** Adds to `total.count` after every unit of work, so that a failing step reports what it removed before. */
  async function runStep(
    id: string,
    step: BoundStep,
    actor: Actor,
    signal: AbortSignal,
    total: { count: number },
  ): Promise<void> {
    const keptMs = await db.read("retention.kept", async (tx) => await step.keptMs(tx));
    const run: Run = { actor, before: clock.now() - keptMs };
    const limit = step.atOnce ?? rowsAtOnce;
    try {
      for (let count = limit; count >= limit && !signal.aborted;) {
        count = await runUnit(id, step, run);
        total.count += count;
      }
    } finally {
      if (total.count > 0) log.info({ schedule: id, kind: step.kind, removed: total.count }, "old rows removed");
    }
  }

  return {
    async run(handler: RetentionHandler, actor, signal, report) {
      const { id } = handler.retention;
      const totals = new Map<string, number>();
      const failures: { kind: string; error: unknown }[] = [];
      for (const step of handler.steps) {
        if (signal.aborted) break;
        const total = { count: 0 };
        try {
          await runStep(id, step, actor, signal, total);
        } catch (error) {
          log.error({ err: error, schedule: id, kind: step.kind }, "a step of retention failed");
          failures.push({ kind: step.kind, error });
        }
        totals.set(step.kind, total.count);
        report?.(step.kind, total.count);
      }
      if (failures.length === 0) return totals;
      const reasons = failures.map(({ kind, error }) => `${kind}: ${error instanceof Error ? error.message : String(error)}`);
      throw new RetentionFailed(`${id} could not remove ${reasons.join("; ")}`, { cause: failures[0]?.error });
    },
  };
}
