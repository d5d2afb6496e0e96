import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { activityKeptMs } from "./units.contract.ts";

export const purgeUnits = defineRetention({
  id: "units.purge",
  cron: "51 4 * * *",
  jitterMs: 600_000,
  steps: {
    events: { tables: ["units_events"], kept: { ms: activityKeptMs } },
    units: { tables: ["units"], kept: { ms: days(30) } },
    statuses: { tables: ["units_statuses"], kept: { ms: days(30) } },
  },
});

export function unitsRetention(remove: Readonly<Record<"events" | "units" | "statuses", RemoveOld>>): RetentionHandler {
  return bindRetention(purgeUnits, remove);
}
