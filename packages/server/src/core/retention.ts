import type { Actor } from "./actor.ts";
import type { RecurringJob } from "./contract/job.ts";
import type { KeptFor, RetentionDefinition, RetentionStep } from "./contract/retention.ts";
import type { Tx } from "./ports/index.ts";

/** Removes at most about `limit` rows older than `before` (milliseconds UTC); returns how many, fewer than `limit` when done. */
export type RemoveOld = (tx: Tx, before: number, limit: number) => Promise<number>;

/** In place of `RemoveOld`, for what lies outside of the database: in units of work of its own. */
export type RemoveApart = (before: number, limit: number) => Promise<number>;

type Removing = { readonly remove: RemoveOld } | { readonly removeApart: RemoveApart };
type Timed = { /** Milliseconds. */ readonly keptMs: (tx: Tx) => number | Promise<number> };

type BindingOf<S extends RetentionStep> = S["kept"] extends { readonly ms: number } ? RemoveOld | Removing : Removing & Timed;

export type BoundStep = RetentionStep & Removing & Timed & { readonly kind: string };

/** What a feature declared to keep for a time, with what removes it. */
export interface RetentionHandler {
  readonly retention: RetentionDefinition;
  readonly steps: readonly BoundStep[];
}

function lengthOf(kept: KeptFor, given: Partial<Timed>): Timed["keptMs"] {
  if ("ms" in kept) return () => kept.ms;
  if (!given.keptMs) throw new Error(`nothing says how long ${JSON.stringify(kept)} is`);
  return given.keptMs;
}

/** Binds every step, by its kind, to what removes its rows and, where an option or a setting says how long, to its length. */
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

export function recurrenceOfRetention({ retention: { id, schedule, jitterMs } }: RetentionHandler): RecurringJob {
  return { id, when: { cron: schedule }, jitterMs, missed: "once" };
}

/** Told once per kind and run, also of a run that ended early. */
export type TellRemoved = (kind: string, count: number) => void;

/** Removes what is past its time; made by the composition root, because it writes the audit trail. */
export interface RetentionRunner {
  /**
   * Every step until done, in small units of work; stops between two of them once `signal` is aborted.
   * Safe to repeat. Throws `RetentionFailed` in the end when steps failed, after all the others. Returns
   * how many rows went, by kind.
   */
  run(handler: RetentionHandler, actor: Actor, signal: AbortSignal, tell?: TellRemoved): Promise<ReadonlyMap<string, number>>;
}

/** Names the steps that failed; `cause` is the error of the first. */
export class RetentionFailed extends Error {
  override name = "RetentionFailed";
}
