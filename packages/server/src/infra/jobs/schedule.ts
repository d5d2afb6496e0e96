import type { Clock, Schedule } from "#core/ports/index.ts";
import { dueOf } from "./due.ts";
import { insertRun, lastRunLocked, newestRuns } from "./runs.ts";

/** The schedule port of this process; its runner listens for `nudge`. */
export interface SqlSchedule extends Schedule {
  onNudge(listener: () => void): void;
}

/** `zone`: IANA zone in which schedules are read; `place`: what the jitter of this installation follows from. */
export function createSchedule(zone: string, clock: Clock, place: string): SqlSchedule {
  const listeners: (() => void)[] = [];
  return {
    runs: newestRuns,
    next: (job, after) => dueOf(job, zone, place)(after),
    async request(tx, jobId) {
      const last = await lastRunLocked(tx, jobId);
      if (last?.outcome === "running" || last?.outcome === "requested") return false;
      await insertRun(tx, jobId, "", clock.now(), "requested");
      return true;
    },
    nudge: () => listeners.forEach((listener) => listener()),
    onNudge: (listener) => void listeners.push(listener),
  };
}
