import type { Static, TSchema } from "typebox";

/**
 * What becomes of a run whose time passed while no worker was there: `once` runs it as soon as one
 * is, however many were missed; `skip` waits for the next time.
 */
export type MissedRuns = "once" | "skip";

/**
 * A background job: id, payload and, for a recurring one, its schedule (a cron expression read in
 * the zone of the DSN's `loc`). A recurring job runs on one worker at a time, under a lease.
 */
export interface JobDefinition<P extends TSchema = TSchema> {
  readonly id: string;
  readonly payload: P;
  readonly schedule?: string;
  /** Each run begins up to this much later, by chance. Milliseconds; 0 unless said. */
  readonly jitterMs?: number;
  /** `once` unless said. */
  readonly missed?: MissedRuns;
}

export function defineJob<P extends TSchema>(definition: JobDefinition<P>): JobDefinition<P> {
  return definition;
}

export type JobPayloadOf<D extends JobDefinition> = Static<D["payload"]>;

/** When a recurring job runs: by a cron expression, or so many milliseconds after the last run began. */
export interface RecurringJob {
  readonly id: string;
  readonly when: { readonly cron: string } | { readonly everyMs: number };
  readonly jitterMs: number;
  readonly missed: MissedRuns;
}
