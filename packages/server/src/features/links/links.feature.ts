import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { linksContract } from "./links.contract.ts";
import { linksRetention, purgeLinks } from "./links.schedules.ts";
import { links } from "./links.schema.ts";
import { LinksService } from "./links.service.ts";

export const linksFeature = defineFeature<Config>({
  name: "links",
  about:
    "Secret links. Who has the *secret* of a link may call the operations and subscribe to the topics that its *definition* names, without an account, until it expires, is *revoked* or, if it is for one use, was *used*. Its *subject* is what it is a link to.",
  needs: [],
  contract: { ...linksContract, retention: [purgeLinks] },
  tables: [links],
  create(context) {
    const service = new LinksService({
      ...context,
      definitions: context.registry.links,
      syncTokens: context.config.sync.apiTokens,
    });
    return { api: service, retention: [linksRetention(service)], restored: async (tx) => await service.restored(tx) };
  },
});
