import { defineFeature } from "#core/feature.ts";
import { citizensApi } from "#features/citizens/citizens.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { accesslistsContract } from "./accesslists.contract.ts";
import { accesslistsRoutes } from "./accesslists.routes.ts";
import { accesslistsEntries, accesslistsGrades } from "./accesslists.schema.ts";
import { createAccesslistsService } from "./accesslists.service.ts";

export const accesslistsFeature = defineFeature({
  name: "accesslists",
  needs: ["citizens", "jobs"],
  contract: accesslistsContract,
  tables: [accesslistsEntries, accesslistsGrades],
  create(context) {
    const service = createAccesslistsService({
      ...context,
      citizens: context.use(citizensApi),
      jobs: context.use(jobsApi),
    });
    return { api: service.api, routes: accesslistsRoutes(service) };
  },
});
