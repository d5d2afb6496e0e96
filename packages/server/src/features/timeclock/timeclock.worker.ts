import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import type { ClosingService } from "./timeclock.closing.service.ts";
import { fillTimeclock, freezePeriod } from "./timeclock.contract.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export function timeclockTasks(service: TimeclockService, closing: ClosingService): TaskHandler[] {
  return [
    applyTask({ task: fillTimeclock, apply: async (tx) => await service.fill(tx) }),
    applyTask({ task: freezePeriod, apply: async (tx, { payload }) => await closing.freezeNext(tx, payload.id) }),
  ];
}
