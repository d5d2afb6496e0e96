import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { draftsKeptMs, entriesKeptMs } from "./conduct.contract.ts";
import type { FollowService } from "./conduct.follow.service.ts";

export const purgeConduct = defineRetention({
  id: "conduct.purge",
  cron: "47 4 * * *",
  jitterMs: 600_000,
  steps: {
    drafts: { tables: ["conduct_entries"], kept: { ms: draftsKeptMs } },
    deleted: { tables: ["conduct_entries"], kept: { ms: days(60) } },
    over: { tables: ["conduct_entries"], kept: { ms: entriesKeptMs } },
    kinds: { tables: ["conduct_kinds"], kept: { ms: days(60) } },
  },
});

export function conductRetention(service: FollowService, kinds: RemoveOld): RetentionHandler {
  const remove =
    (what: "drafts" | "deleted" | "over"): RemoveOld =>
    async (tx, before, limit) =>
      await service.purge(tx, what, before, limit);
  return bindRetention(purgeConduct, {
    drafts: remove("drafts"),
    deleted: remove("deleted"),
    over: remove("over"),
    kinds,
  });
}
