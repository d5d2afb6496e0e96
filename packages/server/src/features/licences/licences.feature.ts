import { defineFeature } from "#core/feature.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { licencesContract } from "./licences.contract.ts";
import { purgeDeleted, readLabels } from "./licences.repo.ts";
import { licencesRetention, purgeLicences } from "./licences.schedules.ts";
import { licences } from "./licences.schema.ts";
import { licencesSync } from "./licences.sync.ts";

export const licencesFeature = defineFeature({
  name: "licences",
  about: "Licence types of the game (driving, weapon). Not to be confused with the game licence of an account.",
  needs: ["sync"],
  contract: { ...licencesContract, retention: [purgeLicences] },
  tables: [licences],
  create(context) {
    const sync = licencesSync(context.use(syncApi));
    return {
      api: { labels: readLabels },
      routes: sync.routes,
      sync: sync.kinds,
      retention: [licencesRetention(purgeDeleted)],
    };
  },
});
