import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { gamerequestsContract } from "./gamerequests.contract.ts";
import { PollService } from "./gamerequests.poll.service.ts";
import { pruneRequests, pruneServers } from "./gamerequests.repo.ts";
import { gamerequestsListeners, gamerequestsRoutes } from "./gamerequests.routes.ts";
import { gamerequestsRetention, purgeGameRequests } from "./gamerequests.schedules.ts";
import { gamerequestsServers, gamerequestsStream, gamerequestsTable } from "./gamerequests.schema.ts";
import { GameRequestsService } from "./gamerequests.service.ts";
import { SourcesService } from "./gamerequests.sources.service.ts";
import { gamerequestsTasks } from "./gamerequests.worker.ts";

export const gamerequestsFeature = defineFeature<Config>({
  name: "gamerequests",
  about:
    "Requests from Rollcall to the plugin on the game server, which fetches them in order. Its *receipt* says what became of one. A request that no plugin fetched before its deadline is *expired*; one that was fetched and has no receipt is *unknown*. The *position* is its place in the order, valid in one *epoch*.",
  needs: ["audit", "sync"],
  contract: { ...gamerequestsContract, retention: [purgeGameRequests] },
  tables: [gamerequestsTable, gamerequestsStream, gamerequestsServers],
  create(context) {
    const sources = new SourcesService({ ...context, syncTokens: context.config.sync.apiTokens });
    const service = new GameRequestsService({ ...context, sources, audit: context.use(auditApi) });
    const polls = new PollService({ ...context, sources });
    return {
      api: service,
      routes: gamerequestsRoutes(service, polls),
      listeners: gamerequestsListeners(polls),
      tasks: gamerequestsTasks(service),
      retention: [gamerequestsRetention({ requests: pruneRequests, servers: pruneServers })],
      checks: [{ id: "gamerequests.servers", run: async () => await service.findings() }],
      restored: async (tx) => await service.restored(tx),
      start: async () => await service.start(),
    };
  },
});
