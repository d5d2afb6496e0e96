import { defineFeature } from "#core/feature.ts";
import { setupContract } from "./setup.contract.ts";

export const setupFeature = defineFeature({
  name: "setup",
  needs: ["accounts", "audit", "settings", "sync"],
  contract: setupContract,
  tables: [],
  create: () => ({}),
});
