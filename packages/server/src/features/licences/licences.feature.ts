import { defineFeature } from "#core/feature.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { licencesContract } from "./licences.contract.ts";
import { licences } from "./licences.schema.ts";
import { createLicencesService } from "./licences.service.ts";
import { licencesSync } from "./licences.sync.ts";

export const licencesFeature = defineFeature({
  name: "licences",
  needs: ["sync"],
  contract: licencesContract,
  tables: [licences],
  create(context) {
    const service = createLicencesService({ ...context, sync: context.use(syncApi) });
    const sync = licencesSync(service);
    return { api: service.api, routes: sync.routes, sync: sync.kinds };
  },
});
