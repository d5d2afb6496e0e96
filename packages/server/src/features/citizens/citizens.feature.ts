import type { Config } from "#config/index.ts";
import { columnBehind } from "#core/custom-columns.ts";
import { defineFeature } from "#core/feature.ts";
import { onGameRequest } from "#core/ports/index.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { licencesApi } from "#features/licences/licences.api.ts";
import { gamerequestsApi } from "#features/gamerequests/gamerequests.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { AvatarsService } from "./citizens.avatar.service.ts";
import { CitizenChanges } from "./citizens.changes.service.ts";
import { CharactersService } from "./citizens.characters.service.ts";
import { citizensContract, resyncRequest } from "./citizens.contract.ts";
import { citizensDemoGrants } from "./citizens.demo.policy.ts";
import { citizensExportKind } from "./citizens.export.kind.service.ts";
import { CitizensList } from "./citizens.list.service.ts";
import { removeOlder } from "./citizens.moves.repo.ts";
import { MovesService } from "./citizens.moves.service.ts";
import { citizensRetention, purgeCitizens } from "./citizens.schedules.ts";
import { ResyncService } from "./citizens.resync.service.ts";
import { citizensRoutes, citizensTopics, movesRoutes, resyncBinding, resyncRoutes } from "./citizens.routes.ts";
import { citizens, citizensJobs, citizensLicences, citizensList, citizensMoves, citizensPhones } from "./citizens.schema.ts";
import { jobNamesCheck } from "./citizens.names.service.ts";
import { namesOfCitizens } from "./citizens.reads.ts";
import { CitizensService } from "./citizens.service.ts";
import { citizensSync } from "./citizens.sync.ts";

/** Columns that hold a field of a citizen, and so may be shown in place of another. */
const fields = [
  ...["first_name", "last_name", "date_of_birth", "sex", "height", "job", "grade"],
  ...["phone_number", "visum", "playtime"],
];

function columnsOf({ database }: Config) {
  const { visum, playtime } = database.custom.columns.user;
  const number = { table: citizens, fields, holds: "number" } as const;
  return {
    visum: { ...number, option: "user.visum", standard: "visum", value: visum },
    playtime: { ...number, option: "user.playtime", standard: "playtime", value: playtime },
  };
}

export const citizensFeature = defineFeature<Config>({
  name: "citizens",
  about:
    "People of the game. A *character* is a citizen that an account may play. `CIT-12` is a citizen's id as people read it out; the *identifier* is the game's own id.",
  needs: ["audit", "files", "gamerequests", "jobs", "licences", "settings", "sync"],
  contract: { ...citizensContract, retention: [purgeCitizens] },
  tables: [citizens, citizensJobs, citizensPhones, citizensLicences, citizensMoves],
  lists: [citizensList],
  demoGrants: citizensDemoGrants,
  customColumns: (config) => Object.values(columnsOf(config)),
  create(context) {
    const { conditions } = context.config.database.custom;
    const { visum, playtime } = columnsOf(context.config);
    const shared = {
      ...context,
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      licences: context.use(licencesApi),
      sync: context.use(syncApi),
      custom: { visum: columnBehind(visum), playtime: columnBehind(playtime) },
      filterEmptyName: conditions.user.filterEmptyName,
    };
    context.use(settingsApi).addCheck(jobNamesCheck(shared.jobs));
    const avatars = new AvatarsService({ ...shared, files: context.use(filesApi) });
    const list = new CitizensList({ ...shared, avatars });
    const service = new CitizensService({ ...shared, avatars });
    const resync = new ResyncService({ ...shared, requests: context.use(gamerequestsApi) });
    const moves = new MovesService(shared);
    const sync = citizensSync({ ...shared, changes: new CitizenChanges(shared) });
    return {
      api: new CharactersService(shared),
      routes: [...citizensRoutes(service, list, avatars), ...movesRoutes(moves), ...resyncRoutes(resync), ...sync.routes],
      gameRequests: [onGameRequest({ request: resyncRequest, ended: async (tx, request) => await resync.ended(tx, request) })],
      sync: sync.kinds,
      exports: [citizensExportKind(list)],
      objectNames: [{ kind: "citizen", names: namesOfCitizens }],
      retention: [citizensRetention(service, removeOlder)],
      topics: [...citizensTopics(service), resyncBinding],
      search: [{ kind: "citizens", find: async (viewer, query, limit) => await list.find(viewer, query, limit) }],
    };
  },
});
