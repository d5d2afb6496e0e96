import type { Config } from "#config/index.ts";
import { customColumn } from "#core/custom-columns.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { vehiclesContract } from "./vehicles.contract.ts";
import { purgeVehicles, vehiclesRetention } from "./vehicles.jobs.ts";
import { vehiclesRoutes, vehiclesTopics } from "./vehicles.routes.ts";
import { vehicles } from "./vehicles.schema.ts";
import { createVehiclesService } from "./vehicles.service.ts";
import { vehiclesSync } from "./vehicles.sync.ts";
import { createVehiclesSync } from "./vehicles.sync.service.ts";

export const vehiclesFeature = defineFeature<Config>({
  name: "vehicles",
  needs: ["audit", "citizens", "jobs", "sync"],
  contract: { ...vehiclesContract, retention: [purgeVehicles] },
  tables: [vehicles],
  create(context) {
    const shared = {
      ...context,
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      sync: context.use(syncApi),
      modelColumn: customColumn(vehicles, "vehicle.model", context.config.database.custom.columns.vehicle.model, "model"),
    };
    const service = createVehiclesService(shared);
    const sync = vehiclesSync(createVehiclesSync(shared));
    return {
      routes: [...vehiclesRoutes(service), ...sync.routes],
      sync: sync.kinds,
      retention: [vehiclesRetention(service)],
      topics: vehiclesTopics(),
      search: [{ kind: "vehicles", find: service.find }],
      filters: [{ target: "citizens", name: "plate", ids: service.ownersByPlate }],
    };
  },
});
