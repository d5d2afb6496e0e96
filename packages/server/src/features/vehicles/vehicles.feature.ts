import type { Config } from "#config/index.ts";
import { columnBehind } from "#core/custom-columns.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { VehicleChanges } from "./vehicles.changes.service.ts";
import { syncVehicles, vehiclesContract } from "./vehicles.contract.ts";
import { demoVehicles, vehiclesDemoGrants } from "./vehicles.demo.policy.ts";
import { platesOf, purgeDeleted } from "./vehicles.repo.ts";
import { purgeVehicles, vehiclesRetention } from "./vehicles.schedules.ts";
import { vehiclesExportKind } from "./vehicles.export.kind.service.ts";
import { vehiclesRoutes, vehiclesTopics } from "./vehicles.routes.ts";
import { vehicles, vehiclesList } from "./vehicles.schema.ts";
import { VehiclesService } from "./vehicles.service.ts";
import { vehiclesSync } from "./vehicles.sync.ts";

function modelOf({ database }: Config) {
  const { model } = database.custom.columns.vehicle;
  const fields = ["plate", "model", "type", "job"];
  return { option: "vehicle.model", table: vehicles, fields, holds: "text", standard: "model", value: model } as const;
}

export const vehiclesFeature = defineFeature<Config>({
  name: "vehicles",
  about: "Vehicles of the game, found by *plate*.",
  needs: ["audit", "citizens", "jobs", "sync"],
  contract: { ...vehiclesContract, retention: [purgeVehicles] },
  tables: [vehicles],
  lists: [vehiclesList],
  demoGrants: vehiclesDemoGrants,
  customColumns: (config) => [modelOf(config)],
  create(context) {
    const shared = {
      ...context,
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      sync: context.use(syncApi),
      modelColumn: columnBehind(modelOf(context.config)),
    };
    const service = new VehiclesService(shared);
    const sync = vehiclesSync({ ...shared, changes: new VehicleChanges(shared) });
    return {
      routes: [...vehiclesRoutes(service), ...sync.routes],
      sync: sync.kinds,
      exports: [vehiclesExportKind(service)],
      objectNames: [{ kind: "vehicle", names: platesOf }],
      demo: async (demo) => await demo.send(syncVehicles.id, demoVehicles(demo)),
      retention: [vehiclesRetention(purgeDeleted)],
      topics: vehiclesTopics(),
      search: [{ kind: "vehicles", find: async (viewer, query, limit) => await service.find(viewer, query, limit) }],
      filters: [
        {
          target: "citizens",
          name: "plate",
          ids: async (tx, viewer, plate, limit) => await service.ownersByPlate(tx, viewer, plate, limit),
        },
      ],
    };
  },
});
