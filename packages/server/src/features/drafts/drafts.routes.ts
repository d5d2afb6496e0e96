import { bind, type Binding } from "#core/feature.ts";
import { getDraft, putDraft, removeDraft } from "./drafts.contract.ts";
import type { DraftsService } from "./drafts.service.ts";

export function draftsRoutes(service: DraftsService): Binding[] {
  return [
    bind(getDraft, async (call, { params, query }) => await service.get(call, { ...params, ...query })),
    bind(putDraft, async (call, { params, query, body }) => await service.put(call, { ...params, ...query }, body)),
    bind(removeDraft, async (call, { params, query }) => await service.remove(call, { ...params, ...query })),
  ];
}
