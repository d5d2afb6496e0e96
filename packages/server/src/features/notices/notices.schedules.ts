import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { NoticesService } from "./notices.service.ts";

/** Notices that were removed or expired 30 days ago; until then the rows can still be read. */
export const purgeNotices = defineRetention({
  id: "notices.purge",
  cron: "41 4 * * *",
  jitterMs: 600_000,
  steps: { notices: { tables: ["notices"], kept: { ms: days(30) } } },
});

export function noticesRetention(service: NoticesService): RetentionHandler {
  return bindRetention(purgeNotices, {
    notices: async (tx, before, limit) => await service.purge(tx, before, limit),
  });
}
