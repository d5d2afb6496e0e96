import type { Actor } from "#core/actor.ts";
import type { Clock, Database, Log, Metrics, Tx } from "#core/ports/index.ts";
import { type BoundStep, RetentionFailed, type RetentionHandler, type RetentionRunner } from "#core/retention.ts";

const rowsAtOnce = 500;

export interface RetentionParts {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Writes the audit trail. */
  readonly record: (tx: Tx, actor: Actor, entry: { readonly action: string; readonly info: unknown }) => Promise<void>;
}

interface Run {
  readonly actor: Actor;
  /** Milliseconds UTC. */
  readonly before: number;
}

export function createRetentionRunner({ db, clock, log, metrics, record }: RetentionParts): RetentionRunner {
  const removed = metrics.counter("rollcall_retention_removed_total", "Rows that went because their time was over", [
    "feature",
    "kind",
  ]);

  async function note(tx: Tx, id: string, { kind, audited }: BoundStep, run: Run, count: number): Promise<void> {
    if (count === 0 || audited !== true) return;
    const info = { kind, removed: count, until: new Date(run.before).toISOString() };
    await record(tx, run.actor, { action: id, info });
  }

  /** The entry of the trail stands or falls with the rows; what lies outside of the database is noted once it went. */
  async function once(id: string, step: BoundStep, run: Run): Promise<number> {
    const limit = step.atOnce ?? rowsAtOnce;
    let count: number;
    if ("remove" in step) {
      count = await db.write(id, async (tx) => {
        const gone = await step.remove(tx, run.before, limit);
        await note(tx, id, step, run, gone);
        return gone;
      });
    } else {
      count = await step.removeApart(run.before, limit);
      if (count > 0 && step.audited === true) await db.write(id, async (tx) => await note(tx, id, step, run, count));
    }
    removed.inc({ feature: id.split(".", 1)[0] ?? "", kind: step.kind }, count);
    return count;
  }

  /** `gone` counts up while it goes, so that a step that fails has told what went before. */
  async function runStep(id: string, step: BoundStep, actor: Actor, signal: AbortSignal, gone: { count: number }): Promise<void> {
    const keptMs = await db.read("retention.kept", async (tx) => await step.keptMs(tx));
    const run: Run = { actor, before: clock.now() - keptMs };
    const limit = step.atOnce ?? rowsAtOnce;
    try {
      for (let count = limit; count >= limit && !signal.aborted;) {
        count = await once(id, step, run);
        gone.count += count;
      }
    } finally {
      if (gone.count > 0) log.info({ job: id, kind: step.kind, removed: gone.count }, "old rows removed");
    }
  }

  return {
    async run(handler: RetentionHandler, actor, signal, tell) {
      const { id } = handler.retention;
      const totals = new Map<string, number>();
      const failures: { kind: string; error: unknown }[] = [];
      for (const step of handler.steps) {
        if (signal.aborted) break;
        const gone = { count: 0 };
        try {
          await runStep(id, step, actor, signal, gone);
        } catch (error) {
          log.error({ err: error, job: id, kind: step.kind }, "a step of retention failed");
          failures.push({ kind: step.kind, error });
        }
        totals.set(step.kind, gone.count);
        tell?.(step.kind, gone.count);
      }
      if (failures.length === 0) return totals;
      const said = failures.map(({ kind, error }) => `${kind}: ${error instanceof Error ? error.message : String(error)}`);
      throw new RetentionFailed(`${id} could not remove ${said.join("; ")}`, { cause: failures[0]?.error });
    },
  };
}
