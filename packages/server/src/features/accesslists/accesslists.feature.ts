import { defineFeature } from "#core/feature.ts";
import { accesslistsContract } from "./accesslists.contract.ts";

export const accesslistsFeature = defineFeature({
  name: "accesslists",
  needs: ["access", "citizens", "jobs"],
  contract: accesslistsContract,
  tables: [],
  create: () => ({}),
});
