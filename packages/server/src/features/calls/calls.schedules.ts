import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { callsKeptMs } from "./calls.contract.ts";

export const purgeCalls = defineRetention({
  id: "calls.purge",
  cron: "29 4 * * *",
  jitterMs: 600_000,
  steps: {
    ended: {
      tables: [
        "calls",
        "calls_jobs",
        "calls_callers",
        "calls_alerts",
        "calls_entries",
        "calls_merges",
        "calls_links",
        "calls_handovers",
      ],
      kept: { ms: callsKeptMs },
    },
    folds: { tables: ["calls_folds"], kept: { ms: days(1) } },
    storms: {
      tables: ["calls_storms", "calls_storms_jobs", "calls_storms_places", "calls_storms_alerts"],
      kept: { ms: callsKeptMs },
    },
    arrivals: { tables: ["calls_arrivals"], kept: { ms: days(1) } },
    types: { tables: ["calls_types"], kept: { ms: days(60) } },
  },
});

export function callsRetention(
  remove: Readonly<Record<"ended" | "folds" | "storms" | "arrivals" | "types", RemoveOld>>,
): RetentionHandler {
  return bindRetention(purgeCalls, remove);
}
