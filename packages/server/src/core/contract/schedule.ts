import type { Static, TSchema } from "typebox";

/**
 * What happens to runs that were due while no worker was up: `once` makes a single run as soon as a
 * worker is up, however many were missed; `skip` waits for the next time.
 */
export type MissedRuns = "once" | "skip";

/**
 * A schedule: id, payload and, if it recurs, its cron expression (read in the zone of the DSN's
 * `loc`). It runs on one worker at a time, under a lease.
 */
export interface ScheduleDefinition<P extends TSchema = TSchema> {
  readonly id: string;
  readonly payload: P;
  readonly cron?: string;
  /** Random delay of each run, at most this long. Milliseconds; 0 by default. */
  readonly jitterMs?: number;
  /** `once` by default. */
  readonly missed?: MissedRuns;
}

export function defineSchedule<P extends TSchema>(definition: ScheduleDefinition<P>): ScheduleDefinition<P> {
  return definition;
}

export type SchedulePayloadOf<D extends ScheduleDefinition> = Static<D["payload"]>;

/** When a schedule runs: by a cron expression, or a number of milliseconds after the last run began. */
export interface Recurrence {
  readonly id: string;
  readonly when: { readonly cron: string } | { readonly everyMs: number };
  readonly jitterMs: number;
  readonly missed: MissedRuns;
}
