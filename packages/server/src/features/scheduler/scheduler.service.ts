import type { KeptFor, Recurrence } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext, Finding } from "#core/feature.ts";
import { idCursor, keysetPage } from "#core/paging.ts";
import type { Clock, Database, Schedules, Tasks, Tx } from "#core/ports/index.ts";
import type { RetentionHandler } from "#core/retention.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { schedulerErrors } from "./scheduler.contract.ts";

const shownRuns = 10;
const shownDead = 50;

/** Tasks begin within a second while a worker runs. */
const lateAfterMs = 5 * 60_000;

export interface SchedulerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly schedule: Schedules;
  readonly tasks: Tasks;
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

  async deadTasks({ cursor, limit = shownDead }: { readonly cursor?: string; readonly limit?: number }) {
    const { db, tasks } = this.#deps;
    const below = cursor === undefined ? undefined : readCursor(cursor).id;
    const { items, total } = await db.read("scheduler.deadTasks", async (tx) => await tasks.dead(tx, limit + 1, below));
    return keysetPage({ rows: items, limit, count: total, cursorOf: idCursor });
  }

  /** Throws 404 when the task is gone, or a newer one has its key. */
  async endDead(call: CallContext, how: "resend" | "discard", id: number): Promise<void> {
    const { db, audit, tasks } = this.#deps;
    await db.write(`scheduler.${how}Task`, async (tx) => {
      const [task] = (await tasks.dead(tx, 1, id + 1)).items;
      if (task?.id !== id || !(await tasks[how](tx, id))) throw new AppError(schedulerErrors.taskGone);
      const { kind, taskId, error } = task;
      const object = { kind: "scheduler.task", id: taskId } as const;
      await audit.record(tx, call.actor, { action: `scheduler.${how}Task`, object, info: { kind, error } });
    });
  }

  /** For the doctor. */
  async findings(): Promise<Finding[]> {
    const { db, tasks } = this.#deps;
    return await db.read("scheduler.findings", async (tx) => {
      const clock = await this.#clockFindings(tx);
      const { items, total } = await tasks.dead(tx, 1);
      const late = await tasks.overdue(tx, lateAfterMs);
      const [last] = items;
      const dead: Finding = last
        ? { id: "scheduler.deadTasks", state: "warning", params: { total, kind: last.kind, error: last.error } }
        : { id: "scheduler.noDeadTasks", state: "ok", params: {} };
      if (late.length === 0) return [dead, ...clock];
      const count = late.reduce((sum, one) => sum + one.count, 0);
      const minutes = Math.floor(late[0]!.lateMs / 60_000);
      const kinds = late.map(({ kind }) => kind).join(", ");
      return [dead, { id: "scheduler.lateTasks", state: "warning", params: { count, minutes, kinds } }, ...clock];
    });
  }

  /** What a clock that is wrong, or was, keeps from running. */
  async #clockFindings(tx: Tx): Promise<Finding[]> {
    const { schedule } = this.#deps;
    const shown = (at: number) => new Date(at).toISOString();
    const findings: Finding[] = [];
    const held = await schedule.held(tx);
    if (held !== null) {
      const id = held.why === "database" ? "scheduler.heldByDatabase" : "scheduler.heldByClock";
      findings.push({ id, state: "warning", params: { now: shown(held.now), other: shown(held.other) } });
    }
    const ahead = await schedule.aheadRun(tx);
    if (ahead !== null) findings.push({ id: "scheduler.aheadRun", state: "warning", params: { at: shown(ahead) } });
    return findings;
  }

  async #retentionOf(tx: Tx, id: string) {
    const steps = this.#deps.retention().find(({ retention }) => retention.id === id)?.steps ?? [];
    return await Promise.all(
      steps.map(async ({ kind, kept, keptMs }) => ({ kind, keptMs: await keptMs(tx), by: sourceOf(kept) })),
    );
  }
}
