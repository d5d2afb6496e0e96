import { bind, type Binding } from "#core/feature.ts";
import { listPostals, nearestPostal, searchPostals } from "./postals.contract.ts";
import type { PostalsService } from "./postals.service.ts";

export function postalsRoutes(service: PostalsService): Binding[] {
  return [
    bind(listPostals, async () => service.list()),
    bind(searchPostals, async (_call, { query }) => ({ postals: service.search(query.q, query.limit) })),
    bind(nearestPostal, async (_call, { query }) => ({ nearest: service.nearest(query.x, query.y) })),
  ];
}
