import { defineFeature } from "#core/feature.ts";
import { onGameRequest } from "#core/ports/index.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { gamerequestsApi } from "#features/gamerequests/gamerequests.api.ts";
import { positionsApi } from "#features/positions/positions.api.ts";
import { postalsApi } from "#features/postals/postals.api.ts";
import { ingameContract, waypointRequest } from "./ingame.contract.ts";
import { ingameRoutes, ingameTopics } from "./ingame.routes.ts";
import { IngameService } from "./ingame.service.ts";

export const ingameFeature = defineFeature({
  name: "ingame",
  about:
    "What people have the game server do for their own character, with what became of it. A *waypoint* is the mark on the player's map in the game.",
  needs: ["audit", "citizens", "gamerequests", "positions", "postals"],
  contract: ingameContract,
  tables: [],
  create(context) {
    const service = new IngameService({
      ...context,
      audit: context.use(auditApi),
      requests: context.use(gamerequestsApi),
      positions: context.use(positionsApi),
      postals: context.use(postalsApi),
    });
    return {
      routes: ingameRoutes(service),
      topics: ingameTopics(),
      gameRequests: [onGameRequest({ request: waypointRequest, ended: async (tx, request) => await service.ended(tx, request) })],
    };
  },
});
