import { defineFeature } from "#core/feature.ts";
import { citizensApi } from "#features/citizens/citizens.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { accesslistsContract } from "./accesslists.contract.ts";
import { accesslistsRoutes } from "./accesslists.routes.ts";
import { accesslistsEntries, accesslistsGrades, accesslistsGrants } from "./accesslists.schema.ts";
import { AccesslistsService } from "./accesslists.service.ts";

export const accesslistsFeature = defineFeature({
  name: "accesslists",
  about:
    "Access lists of objects. An *entry* gives a *subject* (a job from a grade upwards, a citizen, the members of a job group, or the holders of a qualification) a *level*; *blocked* is the level that refuses. A *rule* (creator, public) grants a level without an entry. Both are stored as *grants* to *principals*: what a person is (this citizen, in this job from this grade, part of the public). The *view scope* of a viewer says which people and jobs it may see in lists of entries.",
  needs: ["citizens", "jobs"],
  contract: accesslistsContract,
  tables: [accesslistsEntries, accesslistsGrades, accesslistsGrants],
  create(context) {
    const service = new AccesslistsService({
      ...context,
      citizens: context.use(citizensApi),
      jobs: context.use(jobsApi),
    });
    return { api: service, routes: accesslistsRoutes(service) };
  },
});
