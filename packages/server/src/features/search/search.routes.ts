import { bind, type Binding } from "#core/feature.ts";
import { searchAll } from "./search.contract.ts";
import type { createSearchService } from "./search.service.ts";

export function searchRoutes(service: ReturnType<typeof createSearchService>): Binding[] {
  return [bind(searchAll, async (call, { query }) => await service(call, query.q))];
}
