import { defineFeature } from "#core/feature.ts";
import { oauthContract } from "./oauth.contract.ts";

export const oauthFeature = defineFeature({
  name: "oauth",
  needs: ["accounts", "audit", "auth", "notifications"],
  contract: oauthContract,
  tables: [],
  create: () => ({}),
});
