import { bind, type Binding } from "#core/feature.ts";
import { discardTask, listDeadTasks, listScheduled, resendTask, runScheduled, scheduleDurations } from "./scheduler.contract.ts";
import type { ScheduleDurations } from "./scheduler.durations.service.ts";
import type { SchedulerService } from "./scheduler.service.ts";

export function schedulerRoutes(service: SchedulerService, durations: ScheduleDurations): Binding[] {
  return [
    bind(listScheduled, async () => await service.list()),
    bind(scheduleDurations, async (_call, { params }) => await durations.list(params.job)),
    bind(listDeadTasks, async (_call, { query }) => await service.deadTasks(query)),
    bind(resendTask, async (call, { params }) => await service.endDead(call, "resend", params.id)),
    bind(discardTask, async (call, { params }) => await service.endDead(call, "discard", params.id)),
    bind(runScheduled, async (call, { params }) => await service.run(call, params.job)),
  ];
}
