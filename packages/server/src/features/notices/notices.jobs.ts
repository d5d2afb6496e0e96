import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { NoticesService } from "./notices.service.ts";

/** Those that were removed or ran out: until then they can be looked up. */
export const purgeNotices = defineRetention({
  id: "notices.purge",
  schedule: "41 4 * * *",
  jitterMs: 600_000,
  steps: { notices: { tables: ["notices"], kept: { ms: days(30) } } },
});

export function noticesRetention(service: NoticesService): RetentionHandler {
  return bindRetention(purgeNotices, { notices: service.removeGone });
}
