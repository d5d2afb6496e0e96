import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { settingsChanged, settingsContract } from "./settings.contract.ts";
import { settingsRoutes, settingsTopics } from "./settings.routes.ts";
import { settingsRevisions } from "./settings.schema.ts";
import { SettingsService } from "./settings.service.ts";

export const settingsFeature = defineFeature({
  name: "settings",
  about: "Application settings, changed in the control panel, with history. Options of config.yaml are never among them.",
  needs: ["audit"],
  contract: settingsContract,
  tables: [settingsRevisions],
  create(context) {
    const service = new SettingsService({ ...context, audit: context.use(auditApi) });
    return {
      api: service.api,
      routes: settingsRoutes(service),
      topics: settingsTopics(),
      listeners: [{ event: settingsChanged, onEvent: () => service.invalidate(), onMissed: () => service.invalidate() }],
      start: async () => await service.start(),
    };
  },
});
