import { bind, type Binding } from "#core/feature.ts";
import { auditFacets, auditHistory, exportAudit, getAudit, listAudit, myAccessLog } from "./audit.contract.ts";
import type { AuditExport } from "./audit.export.service.ts";
import { readerOf } from "./audit.policy.ts";
import type { AuditService } from "./audit.service.ts";

export function auditRoutes(service: AuditService, exporter: AuditExport): Binding[] {
  return [
    bind(listAudit, async (call, { query }) => await service.list(readerOf(call.actor), query)),
    bind(auditFacets, async (call) => await service.facets(readerOf(call.actor))),
    bind(auditHistory, async (call, { params, query }) => await service.history(readerOf(call.actor), params, query)),
    bind(exportAudit, async (call, { query }) => await exporter.answer(call, query)),
    bind(myAccessLog, async (call, { query }) => await service.accessLog(call.viewer(), query)),
    bind(getAudit, async (call, { params }) => await service.get(readerOf(call.actor), params.id)),
  ];
}
