import { bind, type Binding } from "#core/feature.ts";
import { clientConfig, postals, systemStatus } from "./system.contract.ts";
import type { SystemService } from "./system.service.ts";

export function systemRoutes(service: SystemService): Binding[] {
  return [
    bind(clientConfig, async () => await service.client()),
    bind(systemStatus, async () => service.status()),
    bind(postals, async () => await service.postals()),
  ];
}
