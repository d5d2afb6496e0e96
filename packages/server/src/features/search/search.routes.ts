import { bind, type Binding } from "#core/feature.ts";
import { searchAll } from "./search.contract.ts";
import type { SearchService } from "./search.service.ts";

export function searchRoutes(service: SearchService): Binding[] {
  return [bind(searchAll, async (call, { query }) => await service.search(call, query))];
}
