import { bind, type Binding } from "#core/feature.ts";
import { listScheduled, runScheduled } from "./scheduler.contract.ts";
import type { SchedulerService } from "./scheduler.service.ts";

export function schedulerRoutes(service: SchedulerService): Binding[] {
  return [
    bind(listScheduled, async () => await service.list()),
    bind(runScheduled, async (call, { params }) => await service.run(call, params.job)),
  ];
}
