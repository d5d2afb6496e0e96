import { Type } from "typebox";
import { defineWorkerTask, type WorkerTaskDefinition } from "#core/contract/index.ts";
import type { Clock, Schedules, Tasks } from "#core/ports/index.ts";
import { dueOf } from "./due.ts";
import { insertRun, lastRunLocked, newestRuns } from "./runs.ts";

/** One for all, so that it is compiled once. */
const payload = Type.Object({});

/** The worker task of a schedule; there is one at a time, with the schedule's id as key. It is never dead: a failed run is followed by the next. */
export function scheduleTask(id: string): WorkerTaskDefinition {
  return defineWorkerTask({
    id,
    payload,
    lane: "recurring",
    retry: { attempts: Number.MAX_SAFE_INTEGER, firstMs: 1000, maxMs: 60_000 },
  });
}

export interface SchedulesOptions {
  /** IANA zone in which cron expressions are read. */
  readonly zone: string;
  readonly clock: Clock;
  /** As in `ScheduleRunnerOptions`. */
  readonly jitterSeed: string;
  readonly tasks: Tasks;
}

export function createSchedules({ zone, clock, jitterSeed, tasks }: SchedulesOptions): Schedules {
  return {
    runs: newestRuns,
    next: (schedule, after) => dueOf(schedule, zone, jitterSeed)(after),
    async request(tx, id) {
      const last = await lastRunLocked(tx, id);
      if (last?.outcome === "running" || last?.outcome === "requested") return false;
      await insertRun(tx, id, "", clock.now(), "requested");
      await tasks.enqueue(tx, scheduleTask(id), { payload: {}, key: id });
      return true;
    },
  };
}
