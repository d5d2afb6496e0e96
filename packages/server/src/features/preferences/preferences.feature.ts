import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { citizensApi } from "#features/citizens/citizens.api.ts";
import { preferencesContract } from "./preferences.contract.ts";
import { preferencesEvents } from "./preferences.events.ts";
import { preferencesRoutes, preferencesTopics } from "./preferences.routes.ts";
import { preferences } from "./preferences.schema.ts";
import { PreferencesService } from "./preferences.service.ts";

export const preferencesFeature = defineFeature({
  name: "preferences",
  about:
    "What a person chose, kept on the server for the account or for one of its characters and the same on all devices: how the application looks, the sound of notifications. A *saved view* is the filters of a list under a name; the list can open with one.",
  needs: ["accounts", "audit", "citizens"],
  contract: preferencesContract,
  tables: [preferences],
  create(context) {
    const service = new PreferencesService({
      ...context,
      audit: context.use(auditApi),
      citizens: context.use(citizensApi),
    });
    return { routes: preferencesRoutes(service), topics: preferencesTopics(), events: preferencesEvents(service) };
  },
});
