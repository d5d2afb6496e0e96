import { defineFeature } from "#core/feature.ts";
import { realtimeContract } from "./realtime.contract.ts";

export const realtimeFeature = defineFeature({
  name: "realtime",
  needs: [],
  contract: realtimeContract,
  tables: [],
  create: () => ({}),
});
