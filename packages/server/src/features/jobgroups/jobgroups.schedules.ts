import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";

const ofGroups = ["hand", "leaders", "exclusions", "members", "rules", "contained"].map((one) => `jobgroups_${one}`);

export const purgeJobgroups = defineRetention({
  id: "jobgroups.purge",
  cron: "29 4 * * *",
  jitterMs: 600_000,
  steps: {
    groups: { tables: ["jobgroups", ...ofGroups], kept: { ms: days(60) } },
    exclusions: { tables: ["jobgroups_exclusions"], kept: { ms: days(30) } },
  },
});

export function jobgroupsRetention(remove: Readonly<Record<"groups" | "exclusions", RemoveOld>>): RetentionHandler {
  return bindRetention(purgeJobgroups, remove);
}
