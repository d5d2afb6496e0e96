import { defineFeature } from "#core/feature.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { postalsApi } from "#features/postals/postals.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { positionsContract, positionsLimit } from "./positions.contract.ts";
import { positionsDemoGrants } from "./positions.demo.policy.ts";
import { Duties } from "./positions.duties.service.ts";
import { positionsListeners } from "./positions.events.ts";
import { positionsRoutes, positionsTopics } from "./positions.routes.ts";
import { PositionsService } from "./positions.service.ts";

export const positionsFeature = defineFeature({
  name: "positions",
  about:
    "Where people on duty are, as the game server last reported it. A *place* is what is known of one character: where, how fast, in which vehicle, near which postal, how long ago. A *hidden* place is shown to nobody.",
  needs: ["citizens", "duty", "jobs", "postals", "sync"],
  contract: positionsContract,
  tables: [],
  demoGrants: positionsDemoGrants,
  create(context) {
    const shared = {
      ...context,
      log: context.logs.subsystem("positions"),
      duty: context.use(dutyApi),
      jobs: context.use(jobsApi),
      postals: context.use(postalsApi),
      sync: context.use(syncApi),
    };
    const duties = new Duties(shared);
    const service = new PositionsService({ ...shared, duties });
    return {
      api: service.api,
      routes: positionsRoutes(service),
      syncLimits: [{ kind: "positions", items: positionsLimit }],
      topics: positionsTopics(service),
      listeners: positionsListeners(service, duties),
      start: async () => await duties.start(),
    };
  },
});
