import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

/** A run of a schedule that has ended. */
export interface EndedRun {
  readonly schedule: string;
  readonly startedAt: number;
  /** Null when its worker died during the run. */
  readonly finishedAt: number | null;
  readonly outcome: "done" | "failed" | "stopped" | "lost";
}

/** Keeps the history of the runs of schedules. */
export interface SchedulerApi {
  /** In the unit of work that ends the run. */
  recordRun(tx: Tx, run: EndedRun): Promise<void>;
}

export const schedulerApi = apiToken<SchedulerApi>("scheduler");
