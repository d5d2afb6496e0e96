import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { VehiclesService } from "./vehicles.service.ts";

/** In case the game sends them again. */
export const purgeVehicles = defineRetention({
  id: "vehicles.purge",
  schedule: "47 3 * * *",
  jitterMs: 600_000,
  steps: { vehicles: { tables: ["vehicles"], kept: { ms: days(30) }, audited: true } },
});

export function vehiclesRetention(service: VehiclesService): RetentionHandler {
  return bindRetention(purgeVehicles, { vehicles: service.removeDeleted });
}
