import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { settingsChanged, settingsContract } from "./settings.contract.ts";
import { settingsRoutes, settingsTopics } from "./settings.routes.ts";
import { settingsRevisions } from "./settings.schema.ts";
import { createSettingsService } from "./settings.service.ts";

export const settingsFeature = defineFeature({
  name: "settings",
  needs: ["audit"],
  contract: settingsContract,
  tables: [settingsRevisions],
  create(context) {
    const service = createSettingsService({ ...context, audit: context.use(auditApi) });
    return {
      api: service.api,
      routes: settingsRoutes(service),
      topics: settingsTopics(),
      listeners: [{ event: settingsChanged, heard: () => service.heardChange() }],
      start: service.start,
    };
  },
});
