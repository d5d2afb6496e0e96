import { days, type Recurrence } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { EndedRun, SchedulerApi } from "./scheduler.api.ts";
import { schedulerErrors } from "./scheduler.contract.ts";
import * as repo from "./scheduler.repo.ts";

export interface DurationsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly recurring: () => readonly Recurrence[];
}

const shownMs = days(30);

/** The history of the runs of schedules: records each, and says how long they took. */
export class ScheduleDurations implements SchedulerApi {
  readonly #deps: DurationsDeps;
  readonly prune = repo.removeRuns;

  constructor(deps: DurationsDeps) {
    this.#deps = deps;
  }

  async recordRun(tx: Tx, { schedule, startedAt, finishedAt, outcome }: EndedRun): Promise<void> {
    // The clock of the machine may have been set back during the run.
    const took_ms = finishedAt === null ? null : Math.max(0, finishedAt - startedAt);
    await repo.insertRun(tx, { schedule, started_at: startedAt, took_ms, outcome });
  }

  /** Throws 404 for an unknown schedule. */
  async list(job: string) {
    const { db, clock, recurring } = this.#deps;
    if (!recurring().some(({ id }) => id === job)) throw new AppError(schedulerErrors.jobUnknown, { params: { job } });
    const to = clock.now();
    const from = to - shownMs;
    const points = await db.read("scheduler.durations", async (tx) => await repo.durationsSince(tx, job, from));
    return { from, to, points };
  }
}
