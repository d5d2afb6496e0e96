import { defineFeature } from "#core/feature.ts";
import { version } from "#core/version.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { freshnessTopic, syncContract } from "./sync.contract.ts";
import { syncRoutes } from "./sync.routes.ts";
import { syncSources } from "./sync.schema.ts";
import { createSyncService } from "./sync.service.ts";

export const syncFeature = defineFeature({
  name: "sync",
  needs: ["audit"],
  contract: syncContract,
  tables: [syncSources],
  create(context) {
    const service = createSyncService({ ...context, audit: context.use(auditApi), version });
    return {
      api: service.api,
      routes: syncRoutes(service),
      topics: [{ topic: freshnessTopic, authorize: async () => ({ class: "all", view: (data: unknown) => data }) }],
      start: service.start,
    };
  },
});
