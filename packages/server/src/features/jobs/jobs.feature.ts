import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { jobsChanged, jobsContract } from "./jobs.contract.ts";
import { jobsDemoGrants } from "./jobs.demo.policy.ts";
import { JobsDemo } from "./jobs.demo.service.ts";
import { LogosService } from "./jobs.logo.service.ts";
import { PropertiesService } from "./jobs.properties.service.ts";
import { jobsRoutes, jobsTopics } from "./jobs.routes.ts";
import { jobsRetention, purgeJobs } from "./jobs.schedules.ts";
import { jobs, jobsGrades, jobsProperties } from "./jobs.schema.ts";
import { JobsService } from "./jobs.service.ts";
import { jobsSync } from "./jobs.sync.ts";

export const jobsFeature = defineFeature({
  name: "jobs",
  about:
    "Jobs (factions) of the game with their *grades*. Grades have numbers and labels; numbers may have gaps. Recurring work of the server is a *schedule*, never a job.",
  needs: ["audit", "files", "icons", "settings", "sync"],
  contract: { ...jobsContract, retention: [purgeJobs] },
  tables: [jobs, jobsGrades, jobsProperties],
  demoGrants: jobsDemoGrants,
  create(context) {
    const service = new JobsService({ ...context, settings: context.use(settingsApi) });
    const shared = { ...context, audit: context.use(auditApi), jobs: service.api };
    const logos = new LogosService({ ...shared, files: context.use(filesApi) });
    const properties = new PropertiesService({ ...shared, logos });
    const sync = jobsSync({ ...shared, sync: context.use(syncApi) });
    return {
      api: service.api,
      routes: [...jobsRoutes(service, properties, logos), ...sync.routes],
      topics: jobsTopics(),
      sync: sync.kinds,
      checks: [{ id: "jobs.names", run: async () => await service.findings() }],
      retention: [jobsRetention(async (tx, before, limit) => await service.purgeDeleted(tx, logos, before, limit))],
      demo: async (demo) => await new JobsDemo(context).load(demo),
      listeners: [{ event: jobsChanged, onEvent: () => service.invalidate(), onMissed: () => service.invalidate() }],
    };
  },
});
