import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { schedulerContract } from "./scheduler.contract.ts";
import { schedulerRoutes } from "./scheduler.routes.ts";
import { SchedulerService } from "./scheduler.service.ts";

export const schedulerFeature = defineFeature<Config>({
  name: "scheduler",
  about:
    "The page of the *schedules* (recurring work): their *runs*, the next one, and starting one now; *worker tasks* that failed for good.",
  needs: ["audit"],
  contract: schedulerContract,
  tables: [],
  create(context) {
    const service = new SchedulerService({
      ...context,
      audit: context.use(auditApi),
      zone: context.config.database.dsn.zone,
      recurring: () => context.registry.recurring(),
      retention: () => context.registry.retention(),
    });
    return {
      routes: schedulerRoutes(service),
      checks: [{ id: "scheduler.deadTasks", run: async () => await service.findings() }],
    };
  },
});
