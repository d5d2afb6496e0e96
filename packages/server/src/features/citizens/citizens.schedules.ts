import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import type { CitizensService } from "./citizens.service.ts";

/** Kept for a while, in case the game sends them again. */
export const purgeCitizens = defineRetention({
  id: "citizens.purge",
  cron: "41 3 * * *",
  jitterMs: 600_000,
  steps: {
    citizens: {
      tables: ["citizens", "citizens_jobs", "citizens_phones", "citizens_licences"],
      kept: { ms: days(30) },
      audited: true,
    },
    moves: { tables: ["citizens_moves"], kept: { ms: days(90) } },
  },
});

export function citizensRetention(service: CitizensService, removeOlderMoves: RemoveOld): RetentionHandler {
  return bindRetention(purgeCitizens, {
    citizens: async (tx, before, limit) => await service.purgeDeleted(tx, before, limit),
    moves: removeOlderMoves,
  });
}
