import { bind, type Binding } from "#core/feature.ts";
import { accessAudience, explainAccess } from "./accesslists.contract.ts";
import type { AccesslistsService } from "./accesslists.service.ts";

export function accesslistsRoutes(service: AccesslistsService): Binding[] {
  return [
    bind(
      explainAccess,
      async (call, { params, query }) => await service.explain(call.viewer(), params.kind, params.id, query.citizenId),
    ),
    bind(accessAudience, async (call, { params }) => await service.audience(call.viewer(), params.kind, params.id)),
  ];
}
