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

export function createRetentionRunner({ db, clock, log, metrics, record }: RetentionParts): RetentionRunner {
  const removed = metrics.counter("rollcall_retention_removed_total", "Rows that went because their time was over", [
    "feature",
    "kind",
  ]);

  async function once(id: string, step: BoundStep, before: number): Promise<number> {
    const limit = step.atOnce ?? rowsAtOnce;
    const count =
      "remove" in step
        ? await db.write(id, async (tx) => await step.remove(tx, before, limit))
        : await step.removeApart(before, limit);
    removed.inc({ feature: id.split(".", 1)[0] ?? "", kind: step.kind }, count);
    return count;
  }

  /** `gone` counts up while it goes, so that a step that fails has told what went before. */
  async function untilDone(
    id: string,
    step: BoundStep,
    before: number,
    signal: AbortSignal,
    gone: { count: number },
  ): Promise<void> {
    const limit = step.atOnce ?? rowsAtOnce;
    for (let count = limit; count >= limit && !signal.aborted;) {
      count = await once(id, step, before);
      gone.count += count;
    }
  }

  async function runStep(id: string, step: BoundStep, actor: Actor, signal: AbortSignal, gone: { count: number }): Promise<void> {
    const keptMs = await db.read("retention.kept", async (tx) => await step.keptMs(tx));
    const before = clock.now() - keptMs;
    try {
      await untilDone(id, step, before, signal, gone);
    } finally {
      if (gone.count > 0) log.info({ job: id, kind: step.kind, removed: gone.count }, "old rows removed");
      if (gone.count > 0 && step.audited === true) {
        const info = { kind: step.kind, removed: gone.count, until: new Date(before).toISOString() };
        await db.write(id, async (tx) => await record(tx, actor, { action: id, info }));
      }
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
