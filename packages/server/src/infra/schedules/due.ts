import { createHash } from "node:crypto";
import { Cron } from "croner";
import type { Recurrence } from "#core/contract/index.ts";

/** Deterministic, so equal on every worker for the same run; differs by schedule, run and instance. */
function jitter(id: string, base: number, max: number, seed: string): number {
  if (max === 0) return 0;
  return createHash("sha256").update(`${seed} ${id} ${base}`).digest().readUInt32BE(0) % (max + 1);
}

/** The next due instant after the run that began at a given instant; null when there is none. */
export type Due = (after: number) => number | null;

/**
 * `zone`: IANA zone in which cron expressions are read. `jitterSeed` differs by instance, so that not all
 * instances call other servers in the same second. Throws for an invalid cron expression.
 */
export function dueOf({ id, when, jitterMs }: Recurrence, zone: string, jitterSeed = ""): Due {
  const spread = (base: number | null) => (base === null ? null : base + jitter(id, base, jitterMs, jitterSeed));
  if ("everyMs" in when) return (after) => spread(after + when.everyMs);
  const cron = cronOf(id, when.cron, zone);
  return (after) => spread(cron.nextRun(new Date(after))?.getTime() ?? null);
}

function cronOf(id: string, expression: string, zone: string): Cron {
  try {
    return new Cron(expression, { timezone: zone, paused: true });
  } catch (error) {
    throw new Error(`schedule ${id}: "${expression}" is not a cron expression (${(error as Error).message})`, { cause: error });
  }
}
