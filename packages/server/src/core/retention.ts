import type { Actor } from "./actor.ts";
import type { Recurrence } from "./contract/schedule.ts";
import type { KeptFor, RetentionDefinition, RetentionStep } from "./contract/retention.ts";
import type { Tx } from "./ports/index.ts";

/** Deletes at most about `limit` rows from before `before` (milliseconds UTC); returns how many, fewer than `limit` when done. */
export type RemoveOld = (tx: Tx, before: number, limit: number) => Promise<number>;

/** In place of `RemoveOld` for data outside the database: uses units of work of its own. */
export type RemoveOutside = (before: number, limit: number) => Promise<number>;

type Removing = { readonly remove: RemoveOld } | { readonly removeApart: RemoveOutside };
type Timed = { /** Milliseconds. */ readonly keptMs: (tx: Tx) => number | Promise<number> };

type BindingOf<S extends RetentionStep> = S["kept"] extends { readonly ms: number } ? RemoveOld | Removing : Removing & Timed;

export type BoundStep = RetentionStep & Removing & Timed & { readonly kind: string };

/** A declared retention with the functions that delete its rows. */
export interface RetentionHandler {
  readonly retention: RetentionDefinition;
  readonly steps: readonly BoundStep[];
}

function lengthOf(kept: KeptFor, given: Partial<Timed>): Timed["keptMs"] {
  if ("ms" in kept) return () => kept.ms;
  if (!given.keptMs) throw new Error(`keptMs is missing for ${JSON.stringify(kept)}`);
  return given.keptMs;
}

/** Binds every step, by kind, to the function that deletes its rows and, if an option or a setting says how long, to its length. */
export function bindRetention<S extends Readonly<Record<string, RetentionStep>>>(
  retention: RetentionDefinition<S>,
  bindings: { readonly [K in keyof S]: BindingOf<S[K]> },
): RetentionHandler {
  const steps = Object.entries(retention.steps).map(([kind, step]) => {
    const given = bindings[kind] as RemoveOld | (Removing & Partial<Timed>);
    const binding = typeof given === "function" ? { remove: given } : given;
    return { ...step, ...binding, kind, keptMs: lengthOf(step.kept, binding) };
  });
  return { retention, steps };
}

export function retentionRecurrence({ retention: { id, cron, jitterMs } }: RetentionHandler): Recurrence {
  return { id, when: { cron }, jitterMs, missed: "once" };
}

/** Called once per kind and run, also when the run ended early. */
export type ReportRemoved = (kind: string, count: number) => void;

/** Deletes what has expired; created by the composition root, because it writes the audit log. */
export interface RetentionRunner {
  /**
   * Runs every step to its end, in small units of work; stops between two of them once `signal` is
   * aborted. Safe to repeat. Throws `RetentionFailed` if steps failed, after all the others ran. Returns
   * the number of deleted rows by kind.
   */
  run(handler: RetentionHandler, actor: Actor, signal: AbortSignal, report?: ReportRemoved): Promise<ReadonlyMap<string, number>>;
}

/** Names the steps that failed; `cause` is the error of the first. */
export class RetentionFailed extends Error {
  override name = "RetentionFailed";
}
