import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { absencesKeptMs } from "./absences.contract.ts";

export const purgeAbsences = defineRetention({
  id: "absences.purge",
  cron: "43 4 * * *",
  jitterMs: 600_000,
  steps: {
    ended: { tables: ["absences"], kept: { ms: absencesKeptMs } },
    kinds: { tables: ["absences_kinds"], kept: { ms: days(60) } },
  },
});

export function absencesRetention(remove: Readonly<Record<"ended" | "kinds", RemoveOld>>): RetentionHandler {
  return bindRetention(purgeAbsences, remove);
}
