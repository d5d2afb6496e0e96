import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { returnMs } from "./colleagues.follow.policy.ts";

/** Who left comes back to what was written of them within the same time. */
export const purgeColleagues = defineRetention({
  id: "colleagues.purge",
  cron: "37 4 * * *",
  jitterMs: 600_000,
  steps: {
    left: { tables: ["colleagues", "colleagues_given"], kept: { ms: returnMs } },
    labels: { tables: ["colleagues_labels", "colleagues_given"], kept: { ms: days(60) } },
    ended: { tables: ["colleagues_given"], kept: { ms: days(1) } },
    moves: { tables: ["colleagues_moves"], kept: { ms: days(90) } },
    activities: { tables: ["colleagues_activities"], kept: { ms: days(730) } },
  },
});

export function colleaguesRetention(
  remove: Readonly<Record<"left" | "labels" | "ended" | "moves" | "activities", RemoveOld>>,
): RetentionHandler {
  return bindRetention(purgeColleagues, remove);
}
