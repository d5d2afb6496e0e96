import { defineFeature } from "#core/feature.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { jobsChanged, jobsContract } from "./jobs.contract.ts";
import { jobsRoutes } from "./jobs.routes.ts";
import { jobs, jobsGrades } from "./jobs.schema.ts";
import { createJobsService } from "./jobs.service.ts";
import { jobsSync } from "./jobs.sync.ts";

export const jobsFeature = defineFeature({
  name: "jobs",
  needs: ["sync"],
  contract: jobsContract,
  tables: [jobs, jobsGrades],
  create(context) {
    const service = createJobsService({ ...context, sync: context.use(syncApi) });
    const sync = jobsSync(service);
    return {
      api: service.api,
      routes: [...jobsRoutes(service), ...sync.routes],
      sync: sync.kinds,
      listeners: [{ event: jobsChanged, heard: () => service.forget() }],
    };
  },
});
