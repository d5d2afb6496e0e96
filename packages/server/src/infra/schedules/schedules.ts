import type { Clock, Schedules } from "#core/ports/index.ts";
import { dueOf } from "./due.ts";
import { insertRun, lastRunLocked, newestRuns } from "./runs.ts";

/** The schedule port of this process, with a callback for its runner. */
export interface SqlSchedules extends Schedules {
  onNudge(listener: () => void): void;
}

/** `zone`: IANA zone in which cron expressions are read. `jitterSeed` as in `ScheduleRunnerOptions`. */
export function createSchedules(zone: string, clock: Clock, jitterSeed: string): SqlSchedules {
  const listeners: (() => void)[] = [];
  return {
    runs: newestRuns,
    next: (schedule, after) => dueOf(schedule, zone, jitterSeed)(after),
    async request(tx, id) {
      const last = await lastRunLocked(tx, id);
      if (last?.outcome === "running" || last?.outcome === "requested") return false;
      await insertRun(tx, id, "", clock.now(), "requested");
      return true;
    },
    nudge: () => listeners.forEach((listener) => listener()),
    onNudge: (listener) => void listeners.push(listener),
  };
}
