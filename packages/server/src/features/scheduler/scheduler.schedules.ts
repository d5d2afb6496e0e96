import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { ScheduleDurations } from "./scheduler.durations.service.ts";

export const pruneScheduleRuns = defineRetention({
  id: "scheduler.prune",
  cron: "53 3 * * *",
  jitterMs: 600_000,
  steps: { runs: { tables: ["scheduler_runs"], kept: { ms: days(90) } } },
});

export function schedulerRetention(durations: ScheduleDurations): RetentionHandler {
  return bindRetention(pruneScheduleRuns, { runs: durations.prune });
}
