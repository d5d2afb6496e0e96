import { bind, type Binding } from "#core/feature.ts";
import { getSettings, putSettings, settingsHistory, undoSettings } from "./settings.contract.ts";
import type { SettingsService } from "./settings.service.ts";

export function settingsRoutes(service: SettingsService): Binding[] {
  return [
    bind(getSettings, async () => await service.get()),
    bind(putSettings, async (call, { body }) => await service.put(call, body)),
    bind(settingsHistory, async () => await service.history()),
    bind(undoSettings, async (call, { params }) => await service.undo(call, params.version)),
  ];
}
