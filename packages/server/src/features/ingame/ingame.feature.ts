import { defineFeature } from "#core/feature.ts";
import { onGameRequest } from "#core/ports/index.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { gamerequestsApi } from "#features/gamerequests/gamerequests.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { positionsApi } from "#features/positions/positions.api.ts";
import { postalsApi } from "#features/postals/postals.api.ts";
import { ingameContract, toastRequest, waypointRequest } from "./ingame.contract.ts";
import { pruneToasts } from "./ingame.repo.ts";
import { ingameRoutes, ingameTopics } from "./ingame.routes.ts";
import { ingameRetention, purgeIngame } from "./ingame.schedules.ts";
import { ingameToasts } from "./ingame.schema.ts";
import { IngameService } from "./ingame.service.ts";
import { ToastDelivery } from "./ingame.toasts.service.ts";
import { ingameTasks } from "./ingame.worker.ts";

export const ingameFeature = defineFeature({
  name: "ingame",
  about:
    "What people have the game server do for their own character, with what became of it, and what they are told there. A *waypoint* is the mark on the player's map in the game. A *toast* is a notification that a player sees there for some seconds.",
  needs: ["accounts", "audit", "citizens", "duty", "gamerequests", "notifications", "positions", "postals"],
  contract: { ...ingameContract, retention: [purgeIngame] },
  tables: [ingameToasts],
  create(context) {
    const shared = { ...context, requests: context.use(gamerequestsApi), positions: context.use(positionsApi) };
    const service = new IngameService({ ...shared, audit: context.use(auditApi), postals: context.use(postalsApi) });
    const [duty, notifications] = [context.use(dutyApi), context.use(notificationsApi)];
    const toasts = new ToastDelivery({ ...shared, duty, notifications });
    return {
      routes: ingameRoutes(service),
      topics: ingameTopics(),
      gameRequests: [
        onGameRequest({ request: waypointRequest, ended: async (tx, request) => await service.ended(tx, request) }),
        // Who did not see it has it in the bell.
        onGameRequest({ request: toastRequest, ended: async () => undefined }),
      ],
      deliveries: [toasts],
      tasks: ingameTasks(toasts),
      retention: [ingameRetention(pruneToasts)],
    };
  },
});
