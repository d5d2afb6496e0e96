import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditContract } from "./audit.contract.ts";
import { auditDemoGrants } from "./audit.demo.policy.ts";
import { auditExportKind } from "./audit.export.kind.service.ts";
import { AuditExport } from "./audit.export.service.ts";
import { auditRetention, auditRetentionOf } from "./audit.schedules.ts";
import { AuditNames } from "./audit.names.service.ts";
import { AuditRecorder } from "./audit.record.service.ts";
import { AuditRetention } from "./audit.retention.service.ts";
import { auditRoutes } from "./audit.routes.ts";
import { auditEntries, auditList, auditPostings, auditSuffixes, auditWords } from "./audit.schema.ts";
import { AuditSearch } from "./audit.search.service.ts";
import { AuditService } from "./audit.service.ts";

export const auditFeature = defineFeature<Config>({
  name: "audit",
  about:
    "The audit log. An *entry* says who did what, to what, from where, and what it was before and after. *Postings* lead from words to the entries that contain them. The *access log* of a citizen says who opened its profile.",
  needs: [],
  contract: { ...auditContract, retention: [auditRetention] },
  tables: [auditEntries, auditWords, auditSuffixes, auditPostings],
  lists: [auditList],
  demoGrants: auditDemoGrants,
  create(context) {
    const { db, config, registry } = context;
    const search = new AuditSearch();
    const names = new AuditNames(() => registry.parts("objectNames"));
    const recorder = new AuditRecorder({
      ...context,
      search,
      log: context.logs.subsystem("audit"),
      declares: (action) => registry.actions().has(action),
      declaresObject: (kind) => registry.objects().has(kind),
    });
    return {
      api: recorder,
      routes: auditRoutes(new AuditService({ db, search, names }), new AuditExport({ ...context, search, audit: recorder })),
      exports: [auditExportKind(search, names)],
      retention: [auditRetentionOf(new AuditRetention(), config.audit.retentionDays)],
      stop: async () => await recorder.flush(),
    };
  },
});
