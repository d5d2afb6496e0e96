import { defineFeature } from "#core/feature.ts";
import { version } from "#core/version.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { freshnessTopic, syncContract } from "./sync.contract.ts";
import { syncRoutes } from "./sync.routes.ts";
import { syncSources } from "./sync.schema.ts";
import { SyncService } from "./sync.service.ts";

export const syncFeature = defineFeature({
  name: "sync",
  about:
    "The Sync API, through which the game server and the database sync tool send data. A *source* names the sender; a *kind* is what is sent; a *manifest* lists the ids that exist.",
  needs: ["audit"],
  contract: syncContract,
  tables: [syncSources],
  create(context) {
    const service = new SyncService({ ...context, audit: context.use(auditApi), version });
    return {
      api: service.api,
      routes: syncRoutes(service),
      topics: [{ topic: freshnessTopic, authorize: async () => ({ class: "all", view: (data: unknown) => data }) }],
      start: async () => await service.start(),
    };
  },
});
