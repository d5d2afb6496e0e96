import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler, type RemoveOld } from "#core/retention.ts";

/** Kept for a while, in case the game sends them again. */
export const purgeLicences = defineRetention({
  id: "licences.purge",
  cron: "53 3 * * *",
  jitterMs: 600_000,
  steps: { licences: { tables: ["licences"], kept: { ms: days(30) } } },
});

export function licencesRetention(purgeDeleted: RemoveOld): RetentionHandler {
  return bindRetention(purgeLicences, { licences: purgeDeleted });
}
