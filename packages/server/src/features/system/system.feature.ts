import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { tracesApi } from "#features/traces/traces.api.ts";
import type { SystemApi } from "./system.api.ts";
import { systemContract } from "./system.contract.ts";
import { createDoctor } from "./system.doctor.service.ts";
import { systemRoutes } from "./system.routes.ts";
import { createSystemService } from "./system.service.ts";

export const systemFeature = defineFeature<Config>({
  name: "system",
  needs: ["settings", "traces"],
  contract: systemContract,
  tables: [],
  create(context) {
    const service = createSystemService({ ...context, settings: context.use(settingsApi), traces: context.use(tracesApi) });
    const doctor = createDoctor({ ...context, checks: context.registry.checks });
    const api: SystemApi = { examine: doctor.examine };
    return { api, routes: systemRoutes(service, doctor), start: service.start };
  },
});
