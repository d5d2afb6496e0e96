import { defineFeature } from "#core/feature.ts";
import { noticesContract } from "./notices.contract.ts";

export const noticesFeature = defineFeature({
  name: "notices",
  needs: ["accesslists", "access", "audit", "citizens", "jobs"],
  contract: noticesContract,
  tables: [],
  create: () => ({}),
});
