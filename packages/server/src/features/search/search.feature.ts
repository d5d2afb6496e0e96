import { defineFeature } from "#core/feature.ts";
import { searchContract } from "./search.contract.ts";
import { searchRoutes } from "./search.routes.ts";
import { SearchService } from "./search.service.ts";

export const searchFeature = defineFeature({
  name: "search",
  about: "The search over everything that the viewer may see.",
  needs: [],
  contract: searchContract,
  tables: [],
  create: ({ registry }) => ({ routes: searchRoutes(new SearchService(registry)) }),
});
