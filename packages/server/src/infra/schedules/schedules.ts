import { Type } from "typebox";
import { defineWorkerTask, type WorkerTaskDefinition } from "#core/contract/index.ts";
import type { Clock, Database, Schedules, Tasks } from "#core/ports/index.ts";
import { dueOf } from "./due.ts";
import { heldBy } from "./held.ts";
import { aheadMs, insertRun, lastRunLocked, latestRuns, newestRuns } from "./runs.ts";

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
  readonly db: Pick<Database, "now">;
  /** IANA zone in which cron expressions are read. */
  readonly zone: string;
  readonly clock: Clock;
  /** As in `ScheduleRunnerOptions`. */
  readonly jitterSeed: string;
  readonly tasks: Tasks;
}

export function createSchedules({ db, zone, clock, jitterSeed, tasks }: SchedulesOptions): Schedules {
  return {
    runs: newestRuns,
    next: (schedule, after) => dueOf(schedule, zone, jitterSeed)(after),
    held: async (tx) => await heldBy(tx, { db, clock }),
    async aheadRun(tx) {
      const starts = [...(await latestRuns(tx)).last.values()].map(({ startedAt }) => startedAt);
      const newest = Math.max(0, ...starts);
      return newest > clock.now() + aheadMs ? newest : null;
    },
    async request(tx, id) {
      const last = await lastRunLocked(tx, id);
      if (last?.outcome === "running" || last?.outcome === "requested") return false;
      await insertRun(tx, id, "", clock.now(), "requested");
      await tasks.enqueue(tx, scheduleTask(id), { payload: {}, key: id });
      return true;
    },
  };
}
