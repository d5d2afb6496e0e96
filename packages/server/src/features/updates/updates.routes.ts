import { bind, type Binding } from "#core/feature.ts";
import { updateStatus } from "./updates.contract.ts";
import type { UpdatesService } from "./updates.service.ts";

export function updatesRoutes(service: UpdatesService): Binding[] {
  return [bind(updateStatus, async () => await service.status())];
}
