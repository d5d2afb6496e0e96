import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";

/** Kept for a while, in case the game sends them again. */
export const purgeVehicles = defineRetention({
  id: "vehicles.purge",
  cron: "47 3 * * *",
  jitterMs: 600_000,
  steps: { vehicles: { tables: ["vehicles"], kept: { ms: days(30) }, audited: true } },
});

export function vehiclesRetention(purgeDeleted: RemoveOld): RetentionHandler {
  return bindRetention(purgeVehicles, { vehicles: purgeDeleted });
}
