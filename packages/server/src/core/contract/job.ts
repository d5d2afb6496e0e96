import type { Static, TSchema } from "typebox";

/**
 * A background job: id, payload and, for a recurring one, its schedule (a cron expression read in
 * the zone of the DSN's `loc`). A recurring job runs on one worker at a time, under a lease.
 */
export interface JobDefinition<P extends TSchema = TSchema> {
  readonly id: string;
  readonly payload: P;
  readonly schedule?: string;
}

export function defineJob<P extends TSchema>(definition: JobDefinition<P>): JobDefinition<P> {
  return definition;
}

export type JobPayloadOf<D extends JobDefinition> = Static<D["payload"]>;
