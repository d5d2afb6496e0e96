import { createHash } from "node:crypto";
import { Cron } from "croner";
import type { RecurringJob } from "#core/contract/index.ts";

/** The same on every worker for the same run, and different from job to job, run to run and place to place. */
function jitter(id: string, base: number, most: number, place: string): number {
  if (most === 0) return 0;
  return createHash("sha256").update(`${place} ${id} ${base}`).digest().readUInt32BE(0) % (most + 1);
}

/** When a job is due after the run that began at a given instant; null when never again. */
export type Due = (after: number) => number | null;

/**
 * `zone`: IANA zone in which cron expressions are read. `place` is the installation's own, so that those of the world do not all begin in
 * the same second. Throws for a schedule that is none.
 */
export function dueOf({ id, when, jitterMs }: RecurringJob, zone: string, place = ""): Due {
  const spread = (base: number | null) => (base === null ? null : base + jitter(id, base, jitterMs, place));
  if ("everyMs" in when) return (after) => spread(after + when.everyMs);
  const cron = cronOf(id, when.cron, zone);
  return (after) => spread(cron.nextRun(new Date(after))?.getTime() ?? null);
}

function cronOf(id: string, schedule: string, zone: string): Cron {
  try {
    return new Cron(schedule, { timezone: zone, paused: true });
  } catch (error) {
    throw new Error(`job ${id}: "${schedule}" is no cron expression (${(error as Error).message})`, { cause: error });
  }
}
