import { bind, type Binding } from "#core/feature.ts";
import { iconSet, listIconSets, searchIcons } from "./icons.contract.ts";
import type { IconsService } from "./icons.service.ts";

export function iconsRoutes(service: IconsService): Binding[] {
  return [
    bind(iconSet, async (_call, { params, query }) => await service.set(params.set, query.icons)),
    bind(listIconSets, async () => await service.sets()),
    bind(searchIcons, async (_call, { query }) => await service.search(query)),
  ];
}
