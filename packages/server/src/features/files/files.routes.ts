import { bind, type Binding } from "#core/feature.ts";
import type { FileAddresses } from "./files.addresses.service.ts";
import type { FilesBrowser } from "./files.browse.service.ts";
import {
  deleteFile,
  fileAddresses,
  filesUsage,
  listFiles,
  uploadFile,
  uploadLimits,
  uploadNewFile,
  viewFile,
} from "./files.contract.ts";
import type { FilesService } from "./files.service.ts";
import type { UploadService } from "./files.upload.service.ts";

export interface FilesRoutesDeps {
  readonly service: FilesService;
  readonly addresses: FileAddresses;
  readonly uploads: UploadService;
  readonly browser: FilesBrowser;
}

export function filesRoutes({ service, addresses, uploads, browser }: FilesRoutesDeps): Binding[] {
  return [
    bind(
      uploadFile,
      async (call, { params: { kindOrId: kind, ownerOrVariant: owner }, query }) =>
        await uploads.upload(call, kind, owner, query.name),
    ),
    bind(uploadNewFile, async (call, { params, query }) => await uploads.upload(call, params.kind, null, query.name)),
    bind(fileAddresses, async (call, { body }) => ({ files: await addresses.of(call, body.ids) })),
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
