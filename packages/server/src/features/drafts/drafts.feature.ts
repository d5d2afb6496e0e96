import { defineFeature } from "#core/feature.ts";
import { citizensApi } from "#features/citizens/citizens.api.ts";
import { draftsContract } from "./drafts.contract.ts";
import { draftsEvents } from "./drafts.events.ts";
import { draftsRoutes } from "./drafts.routes.ts";
import { purgeDrafts, draftsRetention } from "./drafts.schedules.ts";
import { drafts } from "./drafts.schema.ts";
import { DraftsService } from "./drafts.service.ts";

export const draftsFeature = defineFeature({
  name: "drafts",
  about:
    "What a person typed into a form and has not sent yet, kept for 30 days with the version of the record that it was begun with, so that it can be finished on another device.",
  needs: ["accounts", "citizens"],
  contract: { ...draftsContract, retention: [purgeDrafts] },
  tables: [drafts],
  create(context) {
    const service = new DraftsService({ ...context, citizens: context.use(citizensApi) });
    return { routes: draftsRoutes(service), events: draftsEvents(service), retention: [draftsRetention(service)] };
  },
});
