import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { checkSource, endDueDuty } from "./duty.contract.ts";
import type { DutyService } from "./duty.service.ts";
import type { DutySources } from "./duty.sources.service.ts";

export function dutyTasks(service: DutyService, sources: DutySources): TaskHandler[] {
  return [
    applyTask({ task: endDueDuty, apply: async (tx, { payload }) => await service.endDue(tx, payload.citizenId) }),
    applyTask({ task: checkSource, apply: async (tx, { payload }) => await sources.check(tx, payload.source) }),
  ];
}
