import { bind, type Binding } from "#core/feature.ts";
import { auditFacets, auditHistory, exportAudit, getAudit, listAudit, myLookups } from "./audit.contract.ts";
import type { createAuditExport } from "./audit.export.service.ts";
import { type AuditService, readerOf } from "./audit.service.ts";

export function auditRoutes(service: AuditService, exported: ReturnType<typeof createAuditExport>): Binding[] {
  return [
    bind(listAudit, async (call, { query }) => await service.list(readerOf(call.actor), query)),
    bind(auditFacets, async (call) => await service.facets(readerOf(call.actor))),
    bind(auditHistory, async (call, { params, query }) => await service.history(readerOf(call.actor), params, query)),
    bind(exportAudit, async (call, { query }) => await exported(call, query)),
    bind(myLookups, async (call, { query }) => await service.lookups(call.viewer(), query)),
    bind(getAudit, async (call, { params }) => await service.get(readerOf(call.actor), params.id)),
  ];
}
