import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditContract } from "./audit.contract.ts";
import { createAuditExport } from "./audit.export.service.ts";
import { auditRetention, auditRetentionOf } from "./audit.jobs.ts";
import { createAuditRecorder } from "./audit.record.service.ts";
import { retentionService } from "./audit.retention.service.ts";
import { auditRoutes } from "./audit.routes.ts";
import { auditEntries, auditPostings, auditSuffixes, auditWords } from "./audit.schema.ts";
import { createAuditService } from "./audit.service.ts";

export const auditFeature = defineFeature<Config>({
  name: "audit",
  needs: [],
  contract: { ...auditContract, retention: [auditRetention] },
  tables: [auditEntries, auditWords, auditSuffixes, auditPostings],
  create(context) {
    const { db, config, registry } = context;
    const { api: recording, flush } = createAuditRecorder({ ...context, declares: (action) => registry.actions().has(action) });
    const service = createAuditService({ db });
    return {
      api: recording,
      routes: auditRoutes(service, createAuditExport({ ...context, audit: recording, service })),
      retention: [auditRetentionOf(retentionService, config.audit.retentionDays)],
      stop: flush,
    };
  },
});
