import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import { keptMs } from "./gamerequests.contract.ts";
import { pruneRequests, pruneServers } from "./gamerequests.repo.ts";

export const purgeGameRequests = defineRetention({
  id: "gamerequests.purge",
  cron: "47 3 * * *",
  jitterMs: 10 * 60_000,
  steps: {
    requests: { tables: ["gamerequests"], kept: { ms: keptMs } },
    servers: { tables: ["gamerequests_servers"], kept: { ms: days(30) } },
  },
});

export function gamerequestsRetention(): RetentionHandler {
  return bindRetention(purgeGameRequests, { requests: pruneRequests, servers: pruneServers });
}
