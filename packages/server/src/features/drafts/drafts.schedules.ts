import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import { draftLimits } from "./drafts.contract.ts";
import type { DraftsService } from "./drafts.service.ts";

export const purgeDrafts = defineRetention({
  id: "drafts.purge",
  cron: "23 4 * * *",
  jitterMs: 600_000,
  steps: { drafts: { tables: ["drafts"], kept: { ms: draftLimits.keptMs }, atOnce: 100 } },
});

export function draftsRetention(service: DraftsService): RetentionHandler {
  return bindRetention(purgeDrafts, {
    drafts: async (tx, before, limit) => await service.removeOld(tx, before, limit),
  });
}
