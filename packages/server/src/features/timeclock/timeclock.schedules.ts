import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { daysKeptMs, entriesKeptMs } from "./timeclock.contract.ts";

export const purgeTimeclock = defineRetention({
  id: "timeclock.purge",
  cron: "52 4 * * *",
  jitterMs: 600_000,
  steps: {
    entries: { tables: ["timeclock_entries"], kept: { ms: entriesKeptMs } },
    corrections: { tables: ["timeclock_corrections"], kept: { ms: entriesKeptMs } },
    days: { tables: ["timeclock_days"], kept: { ms: daysKeptMs } },
  },
});

export function timeclockRetention(remove: Readonly<Record<"entries" | "corrections" | "days", RemoveOld>>): RetentionHandler {
  return bindRetention(purgeTimeclock, remove);
}
