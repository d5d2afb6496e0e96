import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { systemContract } from "./system.contract.ts";
import { systemRoutes } from "./system.routes.ts";
import { createSystemService } from "./system.service.ts";

export const systemFeature = defineFeature<Config>({
  name: "system",
  needs: ["settings"],
  contract: systemContract,
  tables: [],
  create(context) {
    const service = createSystemService({ ...context, settings: context.use(settingsApi) });
    return { routes: systemRoutes(service), start: service.start };
  },
});
