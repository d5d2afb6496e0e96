import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { systemContract } from "./system.contract.ts";
import { systemRoutes } from "./system.routes.ts";
import { createSystemService } from "./system.service.ts";

export const systemFeature = defineFeature<Config>({
  name: "system",
  needs: [],
  contract: systemContract,
  tables: [],
  create(context) {
    const service = createSystemService(context);
    return { routes: systemRoutes(service), start: service.start };
  },
});
