import type { Recurrence, ScheduleDefinition, SchedulePayloadOf } from "./contract/schedule.ts";
import type { ReportRemoved } from "./retention.ts";

export interface ScheduleHandler<D extends ScheduleDefinition = ScheduleDefinition> {
  readonly schedule: D;
  /** Milliseconds from the start of one run to the next, if configured; replaces the cron expression. */
  readonly everyMs?: number;
  /** It deletes by the clock, and is held while that is not trusted. */
  readonly removes?: boolean;
  /** `report` notes in the run's record how many rows of a kind were deleted. */
  run(payload: SchedulePayloadOf<D>, signal: AbortSignal, report?: ReportRemoved): Promise<void>;
}

/** When a schedule recurs; null if it runs on request only. */
export function recurrenceOf({ schedule, everyMs }: ScheduleHandler): Recurrence | null {
  const { id, cron, jitterMs = 0, missed = "once" } = schedule;
  if (everyMs !== undefined) return { id, when: { everyMs }, jitterMs, missed };
  return cron === undefined ? null : { id, when: { cron }, jitterMs, missed };
}
