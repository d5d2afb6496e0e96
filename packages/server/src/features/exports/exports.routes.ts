import { bind, type Binding } from "#core/feature.ts";
import { downloadExport, listExports, removeExport, requestExport } from "./exports.contract.ts";
import type { ExportsService } from "./exports.service.ts";

export function exportsRoutes(service: ExportsService): Binding[] {
  return [
    bind(requestExport, async (call, { body }) => await service.request(call, body)),
    bind(listExports, async (call, { query }) => await service.list(call.account().accountId, query.kind)),
    bind(removeExport, async (call, { params }) => await service.remove(call, params.id)),
    bind(downloadExport, async (call, { params }) => await service.download(call, params.id)),
  ];
}
