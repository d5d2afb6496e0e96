import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { onGameRequest } from "#core/ports/index.ts";
import { absencesApi } from "#features/absences/absences.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { gamerequestsApi } from "#features/gamerequests/gamerequests.api.ts";
import { jobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { unitsApi } from "#features/units/units.api.ts";
import { removeOlder } from "./colleagues.activity.repo.ts";
import { Activities } from "./colleagues.activity.service.ts";
import { colleaguesContract, jobRequest } from "./colleagues.contract.ts";
import { colleaguesDemoGrants } from "./colleagues.demo.policy.ts";
import { ColleaguesDemo } from "./colleagues.demo.service.ts";
import { colleaguesEvents } from "./colleagues.events.ts";
import { colleaguesExportKind } from "./colleagues.export.kind.service.ts";
import { ColleaguesFilter } from "./colleagues.filter.service.ts";
import { FollowService } from "./colleagues.follow.service.ts";
import { GivenLabels } from "./colleagues.given.service.ts";
import { labelRule } from "./colleagues.groups.service.ts";
import { removeDeleted, removeEnded } from "./colleagues.labels.repo.ts";
import { LabelsService } from "./colleagues.labels.service.ts";
import { removeOldMoves } from "./colleagues.moves.repo.ts";
import { JobMoves } from "./colleagues.moves.service.ts";
import { People } from "./colleagues.people.service.ts";
import { removeLeft } from "./colleagues.repo.ts";
import { colleaguesRoutes, colleaguesTopics } from "./colleagues.routes.ts";
import { colleaguesRetention, purgeColleagues } from "./colleagues.schedules.ts";
import {
  colleagues,
  colleaguesActivities,
  colleaguesFill,
  colleaguesGiven,
  colleaguesLabels,
  colleaguesList,
  colleaguesMoves,
  colleaguesTurns,
} from "./colleagues.schema.ts";
import { ColleaguesSearch } from "./colleagues.search.service.ts";
import { ColleaguesService } from "./colleagues.service.ts";
import { SentActivities } from "./colleagues.sent.activities.service.ts";
import { SentProperties } from "./colleagues.sent.properties.service.ts";
import { Staff } from "./colleagues.staff.service.ts";
import { JobStatistics } from "./colleagues.statistics.service.ts";
import { colleaguesSync } from "./colleagues.sync.ts";
import { colleaguesTasks } from "./colleagues.worker.ts";

export const colleaguesFeature = defineFeature<Config>({
  name: "colleagues",
  about:
    "The people of one's job, as the game has them. A *label* is what a job calls some of them, with a colour, perhaps until a day. An *activity* is what happened to somebody in a job: hired, promoted, a label given. What is written of somebody who left *rests* for 60 days and returns with them. A *move* is what somebody asked the game server to change: to hire, promote, demote or dismiss.",
  needs: [
    "absences",
    "accounts",
    "audit",
    "citizens",
    "duty",
    "gamerequests",
    "icons",
    "jobgroups",
    "jobs",
    "notifications",
    "settings",
    "sync",
    "units",
  ],
  contract: {
    ...colleaguesContract,
    retention: [purgeColleagues],
    keptForGood: [
      { kind: "fill", tables: ["colleagues_fill"] },
      { kind: "turns", tables: ["colleagues_turns"] },
    ],
  },
  tables: [colleagues, colleaguesLabels, colleaguesTurns, colleaguesGiven, colleaguesActivities, colleaguesMoves, colleaguesFill],
  lists: [colleaguesList],
  demoGrants: colleaguesDemoGrants,
  create(context) {
    const shared = {
      ...context,
      absences: context.use(absencesApi),
      audit: context.use(auditApi),
      jobs: context.use(jobsApi),
      duty: context.use(dutyApi),
      jobgroups: context.use(jobgroupsApi),
      notifications: context.use(notificationsApi),
      requests: context.use(gamerequestsApi),
      settings: context.use(settingsApi),
      sync: context.use(syncApi),
      units: context.use(unitsApi),
    };
    shared.jobgroups.registerRules(labelRule);
    const people = new People({ ...shared, zone: context.config.database.dsn.zone });
    const activities = new Activities(shared);
    const moves = new JobMoves(shared);
    const follow = new FollowService({ ...shared, activities, moves });
    const service = new ColleaguesService({ ...shared, people, activities, filters: new ColleaguesFilter(shared) });
    const found = new ColleaguesSearch(shared);
    const labels = new LabelsService(shared);
    const given = new GivenLabels({ ...shared, people, activities });
    const statistics = new JobStatistics({ ...shared, people });
    const sync = colleaguesSync({
      properties: new SentProperties({ ...shared, activities }),
      activities: new SentActivities(shared),
      staff: new Staff(shared),
    });
    return {
      routes: [...colleaguesRoutes({ service, labels, given, activities, statistics, moves, people }), ...sync],
      topics: colleaguesTopics(),
      search: [{ kind: "colleagues", find: async (viewer, query, limit) => await found.hits(viewer, query, limit) }],
      gameRequests: [
        onGameRequest({ request: jobRequest, ended: async (tx, request, outcome) => await moves.ended(tx, request, outcome) }),
      ],
      exports: [colleaguesExportKind(service)],
      events: colleaguesEvents(follow, activities),
      tasks: colleaguesTasks(follow),
      retention: [
        colleaguesRetention({
          left: removeLeft,
          labels: removeDeleted,
          ended: removeEnded,
          moves: removeOldMoves,
          activities: removeOlder,
        }),
      ],
      demo: async (demo) => await new ColleaguesDemo({ ...shared, activities, follow, people }).load(demo),
      start: async () => await follow.start(),
    };
  },
});
