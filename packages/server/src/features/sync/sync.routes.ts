import { bind, type Binding } from "#core/feature.ts";
import * as contract from "./sync.contract.ts";
import type { SyncService } from "./sync.service.ts";

export function syncRoutes(service: SyncService): Binding[] {
  return [
    bind(contract.syncStatus, async () => await service.status()),
    bind(
      contract.syncManifest,
      async (call, { params, body }) =>
        await service.manifest(call, {
          kind: params.kind,
          source: body.source ?? "default",
          ids: body.ids,
          confirm: body.confirm,
        }),
    ),
  ];
}
