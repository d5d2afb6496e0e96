import { bind, type Binding } from "#core/feature.ts";
import type { FilesBrowser } from "./files.browse.service.ts";
import { deleteFile, filesUsage, listFiles, uploadFile, uploadLimits, viewFile } from "./files.contract.ts";
import type { FilesService } from "./files.service.ts";

export function filesRoutes(service: FilesService, browser: FilesBrowser): Binding[] {
  return [
    bind(uploadFile, async (call, { params, query }) => await service.upload(call, params.kind, params.owner, query.name)),
    bind(uploadLimits, async (_call, { params }) => await service.limits(params.kind)),
    bind(viewFile, async (call, { params, query }) => await service.view(call, params.id, params.variant, query)),
    bind(listFiles, async (call, { query }) => await browser.list(call, query)),
    bind(filesUsage, async () => await browser.usage()),
    bind(deleteFile, async (call, { params, body }) => await browser.remove(call, params.id, body.reason)),
  ];
}
