import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { LinksService } from "./links.service.ts";

/** Revoked and used links are removed at once, expired ones a day later. */
export const purgeLinks = defineRetention({
  id: "links.purge",
  cron: "47 4 * * *",
  jitterMs: 600_000,
  steps: { links: { tables: ["links"], kept: { ms: days(1) } } },
});

export function linksRetention(service: LinksService): RetentionHandler {
  return bindRetention(purgeLinks, { links: async (tx, before, limit) => await service.prune(tx, before, limit) });
}
