import { bind, type Binding } from "#core/feature.ts";
import { setupBegin, setupCheck, setupState, setupReceived, setupSync } from "./setup.contract.ts";
import type { SetupService } from "./setup.service.ts";

export function setupRoutes(service: SetupService): Binding[] {
  return [
    bind(setupState, async () => await service.state()),
    bind(setupCheck, async (_call, { body }) => await service.check(body.token)),
    bind(setupBegin, async (call, { body }) => await service.begin(call, body)),
    bind(setupSync, async () => await service.sync()),
    bind(setupReceived, async () => await service.received()),
  ];
}
