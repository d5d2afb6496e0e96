import { bind, type Binding } from "#core/feature.ts";
import type { FilesBrowser } from "./files.browse.service.ts";
import { deleteFile, filesUsage, listFiles, uploadFile, uploadLimits, viewFile } from "./files.contract.ts";
import type { FilesService } from "./files.service.ts";
import type { UploadService } from "./files.upload.service.ts";

export function filesRoutes(service: FilesService, uploads: UploadService, browser: FilesBrowser): Binding[] {
  return [
    bind(
      uploadFile,
      async (call, { params: { kindOrId: kind, ownerOrVariant: owner }, query }) =>
        await uploads.upload(call, kind, owner, query.name),
    ),
    bind(uploadLimits, async (_call, { params }) => await uploads.limits(params.kind)),
    bind(
      viewFile,
      async (call, { params: { kindOrId: id, ownerOrVariant: variant }, query }) => await service.view(call, id, variant, query),
    ),
    bind(listFiles, async (call, { query }) => await browser.list(call, query)),
    bind(filesUsage, async () => await browser.usage()),
    bind(deleteFile, async (call, { params, body }) => await browser.remove(call, params.id, body.reason)),
  ];
}
