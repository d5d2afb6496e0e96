import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { VehiclesService } from "./vehicles.service.ts";

/** Removes vehicles for good whose grace period is over, every night. */
export const purgeVehicles = defineJob({
  id: "vehicles.purge",
  payload: Type.Object({}),
  schedule: "47 3 * * *",
  jitterMs: 600_000,
});

export function vehiclesJobs(service: VehiclesService): JobHandler[] {
  return [{ job: purgeVehicles, run: async () => await service.purgeDeleted() }];
}
