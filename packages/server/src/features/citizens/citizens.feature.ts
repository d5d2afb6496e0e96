import type { Config } from "#config/index.ts";
import { customColumn } from "#core/custom-columns.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { licencesApi } from "#features/licences/licences.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { createAvatars } from "./citizens.avatar.service.ts";
import { citizensContract } from "./citizens.contract.ts";
import { citizensRetention, purgeCitizens } from "./citizens.jobs.ts";
import { citizensRoutes, citizensTopics } from "./citizens.routes.ts";
import { citizens, citizensJobs, citizensLicences, citizensPhones } from "./citizens.schema.ts";
import { createCitizensService } from "./citizens.service.ts";
import { citizensSync } from "./citizens.sync.ts";
import { createCitizensSync } from "./citizens.sync.service.ts";

export const citizensFeature = defineFeature<Config>({
  name: "citizens",
  needs: ["audit", "files", "jobs", "licences", "sync"],
  contract: { ...citizensContract, retention: [purgeCitizens] },
  tables: [citizens, citizensJobs, citizensPhones, citizensLicences],
  create(context) {
    const { columns, conditions } = context.config.database.custom;
    const shared = {
      ...context,
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      licences: context.use(licencesApi),
      sync: context.use(syncApi),
      custom: {
        visum: customColumn(citizens, "user.visum", columns.user.visum, "visum"),
        playtime: customColumn(citizens, "user.playtime", columns.user.playtime, "playtime"),
      },
      filterEmptyName: conditions.user.filterEmptyName,
    };
    const avatars = createAvatars({ ...shared, files: context.use(filesApi) });
    const service = createCitizensService({ ...shared, avatars });
    const sync = citizensSync(createCitizensSync(shared));
    return {
      api: service.api,
      routes: [...citizensRoutes(service, avatars), ...sync.routes],
      sync: sync.kinds,
      retention: [citizensRetention(service)],
      topics: citizensTopics(service),
      search: [{ kind: "citizens", find: service.find }],
    };
  },
});
