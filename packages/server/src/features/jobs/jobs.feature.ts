import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { jobsChanged, jobsContract } from "./jobs.contract.ts";
import { createLogos } from "./jobs.logo.service.ts";
import { createPropertiesService } from "./jobs.properties.service.ts";
import { jobsRoutes, jobsTopics } from "./jobs.routes.ts";
import { jobs, jobsGrades, jobsProperties } from "./jobs.schema.ts";
import { createJobsService } from "./jobs.service.ts";
import { jobsSync } from "./jobs.sync.ts";

export const jobsFeature = defineFeature({
  name: "jobs",
  needs: ["audit", "files", "icons", "sync"],
  contract: jobsContract,
  tables: [jobs, jobsGrades, jobsProperties],
  create(context) {
    const service = createJobsService({ ...context, sync: context.use(syncApi) });
    const shared = { ...context, audit: context.use(auditApi), jobs: service.api };
    const logos = createLogos({ ...shared, files: context.use(filesApi) });
    const properties = createPropertiesService({
      ...shared,
      logos,
      forget: service.forget,
    });
    const sync = jobsSync(service);
    return {
      api: service.api,
      routes: [...jobsRoutes(service, properties, logos), ...sync.routes],
      topics: jobsTopics(),
      sync: sync.kinds,
      listeners: [{ event: jobsChanged, heard: () => service.forget() }],
    };
  },
});
