import { bind, type Binding } from "#core/feature.ts";
import { auditFacets, auditHistory, exportAudit, getAudit, listAudit, myLookups } from "./audit.contract.ts";
import type { createAuditExport } from "./audit.export.service.ts";
import type { AuditService } from "./audit.service.ts";

export function auditRoutes(service: AuditService, exported: ReturnType<typeof createAuditExport>): Binding[] {
  return [
    bind(listAudit, async (call, { query }) => await service.list(call.viewer(), query)),
    bind(auditFacets, async (call) => await service.facets(call.viewer())),
    bind(auditHistory, async (call, { params, query }) => await service.history(call.viewer(), params, query)),
    bind(exportAudit, async (call, { query }) => await exported(call, query)),
    bind(myLookups, async (call, { query }) => await service.lookups(call.viewer(), query)),
    bind(getAudit, async (call, { params }) => await service.get(call.viewer(), params.id)),
  ];
}
