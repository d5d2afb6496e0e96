import { defineFeature } from "#core/feature.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { licencesContract } from "./licences.contract.ts";
import { listTypes, purgeDeleted, readLabels, readLiveLabels } from "./licences.repo.ts";
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
      attributeSources: [{ source: "licences.types", list: listTypes, labels: readLiveLabels }],
      routes: sync.routes,
      sync: sync.kinds,
      retention: [licencesRetention(purgeDeleted)],
    };
  },
});
