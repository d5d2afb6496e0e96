import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { tracesApi } from "#features/traces/traces.api.ts";
import { systemContract } from "./system.contract.ts";
import { Doctor } from "./system.doctor.service.ts";
import { systemRoutes } from "./system.routes.ts";
import { SystemService } from "./system.service.ts";

export const systemFeature = defineFeature<Config>({
  name: "system",
  about: "The state of this instance, its public settings, and the texts of the errors that the request guard answers.",
  needs: ["audit", "settings", "traces"],
  contract: systemContract,
  tables: [],
  create(context) {
    const service = new SystemService({
      ...context,
      audit: context.use(auditApi),
      settings: context.use(settingsApi),
      traces: context.use(tracesApi),
    });
    const doctor = new Doctor({ ...context, checks: () => context.registry.parts("checks") });
    return { api: doctor, routes: systemRoutes(service, doctor) };
  },
});
