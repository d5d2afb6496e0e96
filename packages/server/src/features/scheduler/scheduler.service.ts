import type { KeptFor, RecurringJob } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Schedule, Tx } from "#core/ports/index.ts";
import type { RetentionHandler } from "#core/retention.ts";
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
  readonly retention: () => readonly RetentionHandler[];
}

function sayingSo(kept: KeptFor): string | null {
  if ("ms" in kept) return null;
  return "option" in kept ? kept.option : kept.setting;
}

export function createSchedulerService(deps: SchedulerDeps) {
  const { schedule, clock } = deps;

  async function keptBy(tx: Tx, job: string) {
    const steps = deps.retention().find(({ retention }) => retention.id === job)?.steps ?? [];
    return await Promise.all(
      steps.map(async ({ kind, kept, keptMs }) => ({ kind, keptMs: await keptMs(tx), by: sayingSo(kept) })),
    );
  }

  return {
    async list() {
      const { runs, kept } = await deps.db.read("scheduler.list", async (tx) => ({
        runs: await schedule.runs(tx, shownRuns),
        kept: new Map(await Promise.all(deps.recurring().map(async ({ id }) => [id, await keptBy(tx, id)] as const))),
      }));
      const jobs = deps.recurring().map((job) => {
        const mine = runs.get(job.id) ?? [];
        return {
          id: job.id,
          schedule: "cron" in job.when ? job.when.cron : null,
          everyMs: "everyMs" in job.when ? job.when.everyMs : null,
          next: schedule.next(job, "cron" in job.when ? clock.now() : (mine[0]?.startedAt ?? clock.now())),
          kept: kept.get(job.id) ?? [],
          runs: mine.map((run) => ({ ...run, removed: run.removed.map((one) => ({ ...one })) })),
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
