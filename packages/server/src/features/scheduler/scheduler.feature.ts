import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { schedulerContract, schedulerRequested } from "./scheduler.contract.ts";
import { schedulerRoutes } from "./scheduler.routes.ts";
import { createSchedulerService } from "./scheduler.service.ts";

export const schedulerFeature = defineFeature<Config>({
  name: "scheduler",
  needs: ["audit"],
  contract: schedulerContract,
  tables: [],
  create(context) {
    const service = createSchedulerService({
      ...context,
      audit: context.use(auditApi),
      zone: context.config.database.dsn.zone,
      recurring: context.registry.recurring,
      retention: context.registry.retention,
    });
    return {
      routes: schedulerRoutes(service),
      listeners: [{ event: schedulerRequested, heard: () => context.schedule.nudge() }],
    };
  },
});
