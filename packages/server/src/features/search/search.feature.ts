import { defineFeature } from "#core/feature.ts";
import { searchContract } from "./search.contract.ts";
import { searchRoutes } from "./search.routes.ts";
import { createSearchService } from "./search.service.ts";

export const searchFeature = defineFeature({
  name: "search",
  needs: [],
  contract: searchContract,
  tables: [],
  create: ({ registry }) => ({ routes: searchRoutes(createSearchService(registry)) }),
});
