import type { KeptFor, Recurrence } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Schedules, Tx } from "#core/ports/index.ts";
import type { RetentionHandler } from "#core/retention.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { schedulerErrors } from "./scheduler.contract.ts";

const shownRuns = 10;

export interface SchedulerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly schedule: Schedules;
  readonly audit: AuditApi;
  readonly zone: string;
  readonly recurring: () => readonly Recurrence[];
  readonly retention: () => readonly RetentionHandler[];
}

/** The option or setting that decides how long rows are stored; null for a fixed time. */
function sourceOf(kept: KeptFor): string | null {
  if ("ms" in kept) return null;
  return "option" in kept ? kept.option : kept.setting;
}

/** Lists schedules with their runs, and requests runs. */
export class SchedulerService {
  readonly #deps: SchedulerDeps;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  async list() {
    const { db, clock, schedule, recurring, zone } = this.#deps;
    const { runs, kept } = await db.read("scheduler.list", async (tx) => ({
      runs: await schedule.runs(tx, shownRuns),
      kept: new Map(await Promise.all(recurring().map(async ({ id }) => [id, await this.#retentionOf(tx, id)] as const))),
    }));
    const jobs = recurring().map((recurrence) => {
      const { id, when } = recurrence;
      const own = runs.get(id) ?? [];
      return {
        id,
        schedule: "cron" in when ? when.cron : null,
        everyMs: "everyMs" in when ? when.everyMs : null,
        next: schedule.next(recurrence, "cron" in when ? clock.now() : (own[0]?.startedAt ?? clock.now())),
        kept: kept.get(id) ?? [],
        runs: own.map((run) => ({ ...run, removed: run.removed.map((one) => ({ ...one })) })),
      };
    });
    return { zone, jobs };
  }

  /** Throws 404 for an unknown schedule, 409 while it runs or a run is requested. */
  async run(call: CallContext, id: string): Promise<void> {
    const { db, audit, schedule, recurring } = this.#deps;
    if (!recurring().some((one) => one.id === id)) throw new AppError(schedulerErrors.jobUnknown, { params: { job: id } });
    await db.write("scheduler.run", async (tx) => {
      if (!(await schedule.request(tx, id))) throw new AppError(schedulerErrors.alreadyRunning, { params: { job: id } });
      await audit.record(tx, call.actor, { action: "scheduler.run", object: { kind: "scheduledJob", id } });
    });
  }

  async #retentionOf(tx: Tx, id: string) {
    const steps = this.#deps.retention().find(({ retention }) => retention.id === id)?.steps ?? [];
    return await Promise.all(
      steps.map(async ({ kind, kept, keptMs }) => ({ kind, keptMs: await keptMs(tx), by: sourceOf(kept) })),
    );
  }
}
