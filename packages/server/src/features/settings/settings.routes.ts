import { bind, type Binding } from "#core/feature.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { getSettings, putSettings, settingsChanged, settingsHistory, settingsTopic, undoSettings } from "./settings.contract.ts";
import type { SettingsService } from "./settings.service.ts";

export function settingsTopics(): TopicBinding[] {
  return [
    {
      topic: settingsTopic,
      authorize: async () => ({ class: "", view: (data) => data }),
      project: ({ type, payload }) =>
        type === settingsChanged.id
          ? [{ key: null, data: { version: (payload as PayloadOf<typeof settingsChanged>).version } }]
          : [],
    },
  ];
}

export function settingsRoutes(service: SettingsService): Binding[] {
  return [
    bind(getSettings, async () => await service.get()),
    bind(putSettings, async (call, { body }) => await service.put(call, body)),
    bind(settingsHistory, async () => await service.history()),
    bind(undoSettings, async (call, { params }) => await service.undo(call, params.version)),
  ];
}
