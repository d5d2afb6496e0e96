import { Cron } from "croner";
import type { Schedule } from "#core/ports/index.ts";

/** Runs as the page of scheduled jobs shows and starts them; `zone` is the one schedules are read in. */
export function createSchedule(zone: string): Schedule & { onNudge(listener: () => void): void } {
  const listeners: (() => void)[] = [];
  return {
    runs: async () => new Map(),
    next: (schedule, after) => new Cron(schedule, { timezone: zone, paused: true }).nextRun(new Date(after))?.getTime() ?? null,
    request: async () => false,
    nudge: () => listeners.forEach((listener) => listener()),
    onNudge: (listener) => void listeners.push(listener),
  };
}
