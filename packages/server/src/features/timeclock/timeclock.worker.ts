import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { fillTimeclock } from "./timeclock.contract.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export function timeclockTasks(service: TimeclockService): TaskHandler[] {
  return [applyTask({ task: fillTimeclock, apply: async (tx) => await service.fill(tx) })];
}
