import { defineFeature } from "#core/feature.ts";
import { schedulerContract } from "./scheduler.contract.ts";

export const schedulerFeature = defineFeature({
  name: "scheduler",
  needs: ["audit"],
  contract: schedulerContract,
  tables: [],
  create: () => ({}),
});
