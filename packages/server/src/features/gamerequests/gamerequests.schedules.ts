import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { keptMs } from "./gamerequests.contract.ts";

export const purgeGameRequests = defineRetention({
  id: "gamerequests.purge",
  cron: "47 3 * * *",
  jitterMs: 10 * 60_000,
  steps: {
    requests: { tables: ["gamerequests"], kept: { ms: keptMs } },
    servers: { tables: ["gamerequests_servers"], kept: { ms: days(30) } },
  },
});

export function gamerequestsRetention(remove: { readonly requests: RemoveOld; readonly servers: RemoveOld }): RetentionHandler {
  return bindRetention(purgeGameRequests, remove);
}
