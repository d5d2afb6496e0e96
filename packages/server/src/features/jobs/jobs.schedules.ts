import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";

/** Kept for a while, in case the game sends them again. */
export const purgeJobs = defineRetention({
  id: "jobs.purge",
  cron: "43 3 * * *",
  jitterMs: 600_000,
  steps: { jobs: { tables: ["jobs", "jobs_grades", "jobs_properties"], kept: { ms: days(30) } } },
});

export function jobsRetention(purgeDeleted: RemoveOld): RetentionHandler {
  return bindRetention(purgeJobs, { jobs: purgeDeleted });
}
