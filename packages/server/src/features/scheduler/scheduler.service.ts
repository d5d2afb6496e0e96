import type { RecurringJob } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Schedule } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { schedulerErrors, schedulerRequested } from "./scheduler.contract.ts";

const shownRuns = 10;

export interface SchedulerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly schedule: Schedule;
  readonly audit: AuditApi;
  readonly zone: string;
  readonly recurring: () => readonly RecurringJob[];
}

export function createSchedulerService(deps: SchedulerDeps) {
  const { schedule, clock } = deps;

  return {
    async list() {
      const runs = await deps.db.read("scheduler.list", async (tx) => await schedule.runs(tx, shownRuns));
      const jobs = deps.recurring().map((job) => {
        const mine = runs.get(job.id) ?? [];
        return {
          id: job.id,
          schedule: "cron" in job.when ? job.when.cron : null,
          everyMs: "everyMs" in job.when ? job.when.everyMs : null,
          next: schedule.next(job, "cron" in job.when ? clock.now() : (mine[0]?.startedAt ?? clock.now())),
          runs: mine.map((run) => ({ ...run })),
        };
      });
      return { zone: deps.zone, jobs };
    },

    async run(call: CallContext, job: string): Promise<void> {
      if (!deps.recurring().some(({ id }) => id === job)) throw new AppError(schedulerErrors.jobUnknown, { params: { job } });
      await deps.db.write("scheduler.run", async (tx) => {
        if (!(await schedule.request(tx, job))) throw new AppError(schedulerErrors.alreadyRunning, { params: { job } });
        await deps.audit.record(tx, call.actor, { action: "scheduler.run", object: { kind: "scheduledJob", id: job } });
        await deps.outbox.emit(tx, schedulerRequested, { key: `scheduler/${job}`, version: clock.now(), payload: { job } });
      });
      schedule.nudge();
    },
  };
}

export type SchedulerService = ReturnType<typeof createSchedulerService>;
