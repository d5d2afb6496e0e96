import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { CitizensService } from "./citizens.service.ts";

/** In case the game sends them again. */
export const purgeCitizens = defineRetention({
  id: "citizens.purge",
  schedule: "41 3 * * *",
  jitterMs: 600_000,
  steps: {
    citizens: {
      tables: ["citizens", "citizens_jobs", "citizens_phones", "citizens_licences"],
      kept: { ms: days(30) },
      audited: true,
    },
  },
});

export function citizensRetention(service: CitizensService): RetentionHandler {
  return bindRetention(purgeCitizens, { citizens: service.removeDeleted });
}
