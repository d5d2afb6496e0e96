import { defineFeature } from "#core/feature.ts";
import { version } from "#core/version.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { freshnessTopic, syncContract } from "./sync.contract.ts";
import { IdempotencyService } from "./sync.idempotency.service.ts";
import { pruneKeys } from "./sync.repo.ts";
import { SyncRefusals } from "./sync.refusals.service.ts";
import { syncRoutes } from "./sync.routes.ts";
import { purgeSync, syncRetention } from "./sync.schedules.ts";
import { syncIdempotencyKeys, syncSources } from "./sync.schema.ts";
import { SyncService } from "./sync.service.ts";

export const syncFeature = defineFeature({
  name: "sync",
  about:
    "The Sync API, through which the game server and the database sync tool send data. A *source* names the sender; a *kind* is what is sent; a *manifest* lists the ids that exist. An *idempotency key* names one call, so that repeating it has no second effect.",
  needs: ["audit"],
  contract: { ...syncContract, retention: [purgeSync] },
  tables: [syncSources, syncIdempotencyKeys],
  create(context) {
    const idempotency = new IdempotencyService(context);
    const service = new SyncService({ ...context, audit: context.use(auditApi), version, idempotency });
    const refusals = new SyncRefusals({ ...context, audit: context.use(auditApi) });
    return {
      api: service.api,
      routes: syncRoutes(service),
      checks: [{ id: "sync.refusals", run: async () => await refusals.findings() }],
      retention: [syncRetention(pruneKeys)],
      topics: [{ topic: freshnessTopic, authorize: async () => ({ class: "all", view: (data: unknown) => data }) }],
      start: async () => await service.start(),
    };
  },
});
