import { defineFeature } from "#core/feature.ts";
import { presenceTopic, realtimeContract } from "./realtime.contract.ts";

export const realtimeFeature = defineFeature({
  name: "realtime",
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
