import { Type } from "typebox";
import { access, defineOperation, Instant, Nullable, OneOf, PageOf, pageQuery } from "#core/contract/index.ts";
import { schedulerErrors } from "./scheduler.base.contract.ts";
import { scheduleDurations } from "./scheduler.durations.contract.ts";

export * from "./scheduler.base.contract.ts";
export * from "./scheduler.durations.contract.ts";

export const runOutcomes = ["requested", "waiting", "running", "done", "failed", "stopped", "lost", "skipped", "held"] as const;

/** Rows of one kind that a run removed. */
const Removed = Type.Object({ kind: Type.String(), count: Type.Integer({ minimum: 0 }) });

/** How long rows are stored before a schedule removes them. */
const Kept = Type.Object({
  kind: Type.String(),
  /** Milliseconds. */
  keptMs: Type.Integer({ minimum: 0 }),
  /** The option of config.yaml or the application setting that decides; null for a fixed time. */
  by: Nullable(Type.String()),
});

const Run = Type.Object({
  id: Type.Integer(),
  outcome: OneOf(runOutcomes),
  startedAt: Instant,
  finishedAt: Nullable(Instant),
  /** The process that ran it. */
  owner: Type.String(),
  message: Nullable(Type.String()),
  /** By kind; empty for a schedule that removes nothing. */
  removed: Type.Array(Removed),
});

const ScheduledJob = Type.Object({
  id: Type.String(),
  /** Cron expression in the time zone `zone`; null when the interval is fixed. */
  schedule: Nullable(Type.String()),
  /** Milliseconds between the starts of two runs; null with a cron expression. */
  everyMs: Nullable(Type.Integer({ minimum: 1 })),
  next: Nullable(Instant),
  /** By kind, in the order of removal; empty for a schedule that removes nothing. */
  kept: Type.Array(Kept),
  /** Newest first. */
  runs: Type.Array(Run),
});

export const listScheduled = defineOperation({
  id: "scheduler.list",
  method: "GET",
  path: "/api/scheduler",
  summary: "Schedules with their last runs",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({ zone: Type.String(), jobs: Type.Array(ScheduledJob) }),
  example: {
    output: {
      zone: "Europe/Berlin",
      jobs: [
        {
          id: "auth.cleanUp",
          schedule: "17 4 * * *",
          everyMs: null,
          next: 1_790_000_000_000,
          kept: [{ kind: "sessions", keptMs: 86_400_000, by: null }],
          runs: [
            {
              id: 7,
              outcome: "done",
              startedAt: 1_789_900_000_000,
              finishedAt: 1_789_900_000_120,
              owner: "01JX",
              message: null,
              removed: [{ kind: "sessions", count: 12 }],
            },
          ],
        },
      ],
    },
  },
});

/** Requests one additional run; a worker starts it at once. */
export const runScheduled = defineOperation({
  id: "scheduler.run",
  method: "POST",
  path: "/api/scheduler/:job/run",
  summary: "Run a schedule now",
  access: access.configAdmin(),
  rate: "write",
  input: { params: Type.Object({ job: Type.String({ minLength: 1, maxLength: 80 }) }) },
  output: null,
  errors: [schedulerErrors.jobUnknown, schedulerErrors.alreadyRunning],
  example: { params: { job: "auth.cleanUp" } },
});

const DeadTask = Type.Object({
  id: Type.Integer(),
  /** The same in all attempts; other systems see it as idempotency key. */
  taskId: Type.String(),
  /** Id of its definition, `<feature>.<verb>`. */
  kind: Type.String(),
  attempts: Type.Integer(),
  enqueuedAt: Instant,
  diedAt: Instant,
  /** Of the last attempt. */
  error: Type.String(),
});

const byId = Type.Object({ id: Type.Integer({ minimum: 1 }) });

export const listDeadTasks = defineOperation({
  id: "scheduler.deadTasks",
  method: "GET",
  path: "/api/worker-tasks/dead",
  summary: "Worker tasks that failed for good, newest first",
  access: access.configAdmin(),
  rate: "read",
  input: { query: Type.Object(pageQuery) },
  output: PageOf(DeadTask),
  example: {
    output: {
      items: [
        {
          id: 4,
          taskId: "01JX0000000000000000000000",
          kind: "events.react",
          attempts: 12,
          enqueuedAt: 1_789_800_000_000,
          diedAt: 1_789_843_200_000,
          error: "Error: auth.tellRightsChanged of access.rolesChanged: the job is gone",
        },
      ],
      next: null,
      total: 1,
      totalCapped: false,
    },
  },
});

export const resendTask = defineOperation({
  id: "scheduler.resendTask",
  method: "POST",
  path: "/api/worker-tasks/dead/:id/resend",
  summary: "Try a worker task again that failed for good",
  access: access.configAdmin(),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [schedulerErrors.taskGone],
  example: { params: { id: 4 } },
});

export const discardTask = defineOperation({
  id: "scheduler.discardTask",
  method: "DELETE",
  path: "/api/worker-tasks/dead/:id",
  summary: "Discard a worker task that failed for good",
  access: access.configAdmin(),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [schedulerErrors.taskGone],
  example: { params: { id: 4 } },
});

export const schedulerContract = {
  operations: [listScheduled, runScheduled, scheduleDurations, listDeadTasks, resendTask, discardTask],
  objects: ["scheduledJob", "scheduler.task"],
  errors: schedulerErrors,
};
