import { defineFeature } from "#core/feature.ts";
import { presenceTopic, realtimeContract } from "./realtime.contract.ts";

export const realtimeFeature = defineFeature({
  name: "realtime",
  about: "Live updates over one WebSocket: topics, positions, resume. *Presence* is who of a job is online.",
  needs: [],
  contract: realtimeContract,
  tables: [],
  create: () => ({
    topics: [
      {
        topic: presenceTopic,
        authorize: async (viewer, key) => (viewer.job === key ? { class: "", view: (data: unknown) => data } : null),
      },
    ],
  }),
});
