import { bind, type Binding } from "#core/feature.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import { listPreferences, preferencesChanged, preferencesTopic, putPreference } from "./preferences.contract.ts";
import type { PreferencesService } from "./preferences.service.ts";

export function preferencesRoutes(service: PreferencesService): Binding[] {
  return [
    bind(listPreferences, async (call) => await service.list(call)),
    bind(putPreference, async (call, { params, body }) => await service.put(call, params.name, body)),
  ];
}

/** The topic of an account. */
export function preferencesTopics(): TopicBinding[] {
  return [
    {
      topic: preferencesTopic,
      authorize: async (viewer, key) => (key === String(viewer.accountId) ? { class: "", view: (data) => data } : null),
      project({ type, payload }) {
        if (type !== preferencesChanged.id) return [];
        const { accountId, name } = payload as PayloadOf<typeof preferencesChanged>;
        return [{ key: String(accountId), data: { name } }];
      },
    },
  ];
}
