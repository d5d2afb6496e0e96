import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { schedulerContract } from "./scheduler.contract.ts";
import { ScheduleDurations } from "./scheduler.durations.service.ts";
import { schedulerRoutes } from "./scheduler.routes.ts";
import { pruneScheduleRuns, schedulerRetention } from "./scheduler.schedules.ts";
import { schedulerRuns } from "./scheduler.schema.ts";
import { SchedulerService } from "./scheduler.service.ts";

export const schedulerFeature = defineFeature<Config>({
  name: "scheduler",
  about:
    "The page of the *schedules* (recurring work): their *runs*, the next one, and starting one now; how long the runs of the last 90 days took; *worker tasks* that failed for good.",
  needs: ["audit"],
  contract: { ...schedulerContract, retention: [pruneScheduleRuns] },
  tables: [schedulerRuns],
  create(context) {
    const recurring = () => context.registry.recurring();
    const durations = new ScheduleDurations({ ...context, recurring });
    const service = new SchedulerService({
      ...context,
      audit: context.use(auditApi),
      zone: context.config.database.dsn.zone,
      recurring,
      retention: () => context.registry.parts("retention"),
    });
    return {
      api: durations,
      routes: schedulerRoutes(service, durations),
      retention: [schedulerRetention(durations)],
      checks: [{ id: "scheduler.deadTasks", run: async () => await service.findings() }],
    };
  },
});
