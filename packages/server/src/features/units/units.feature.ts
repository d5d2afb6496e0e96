import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accesslistsApi } from "#features/accesslists/accesslists.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { postalsApi } from "#features/postals/postals.api.ts";
import { rulesOfUnit, UnitAccess } from "./units.access.service.ts";
import { unitLevels, unitsContract } from "./units.contract.ts";
import { UnitCrew } from "./units.crew.service.ts";
import { unitsDemoGrants } from "./units.demo.policy.ts";
import { UnitsDemo } from "./units.demo.service.ts";
import { unitsEvents } from "./units.events.ts";
import { UnitReminders } from "./units.reminders.service.ts";
import { unitsExportKind } from "./units.export.kind.service.ts";
import { FoundUnits } from "./units.found.service.ts";
import { find, removeDeleted } from "./units.repo.ts";
import { unitsRoutes, unitsTopics } from "./units.routes.ts";
import { purgeUnits, unitsRetention } from "./units.schedules.ts";
import { units, unitsEvents as eventsTable, unitsMembers, unitsRules, unitsStatuses } from "./units.schema.ts";
import { UnitsService } from "./units.service.ts";
import { ShownUnits, type ShownUnitsDeps } from "./units.shown.service.ts";
import { pruneEvents, pruneStatuses } from "./units.statuses.repo.ts";
import { StatusesService } from "./units.statuses.service.ts";
import { UnitStore } from "./units.store.service.ts";
import { unitsTasks } from "./units.worker.ts";

export const unitsFeature = defineFeature<Config>({
  name: "units",
  about:
    "The crews of a job, such as a patrol car. A *unit* has a *status*: one of four *base kinds* (available, busy, on a break, unavailable), or a *custom status* of the job that behaves as one. People on duty join one unit at a time. Its *access list* says who may join it. A *static* unit does not move and is never available; a *temporary* one is dissolved once it was empty for 15 minutes. A unit is *grey* while nobody of its crew is there.",
  needs: ["accesslists", "accounts", "audit", "citizens", "duty", "icons", "jobs", "notifications", "postals"],
  contract: {
    ...unitsContract,
    retention: [purgeUnits],
    keptForGood: [
      { kind: "rules", tables: ["units_rules"] },
      { kind: "members", tables: ["units_members"] },
    ],
  },
  tables: [units, unitsMembers, unitsStatuses, unitsRules, eventsTable],
  demoGrants: unitsDemoGrants,
  create(context) {
    const apis = {
      ...context,
      audit: context.use(auditApi),
      duty: context.use(dutyApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      postals: context.use(postalsApi),
    };
    const reminders = new UnitReminders(apis);
    const store = new UnitStore({ ...apis, reminders });
    const lists = context.use(accesslistsApi).register({
      kind: "units",
      levels: unitLevels,
      async rules(tx, id) {
        const row = await find(tx, id);
        return row && row.deleted_at === null ? rulesOfUnit(row) : null;
      },
    });
    const admitted: ShownUnitsDeps["admitted"] = async (tx, viewer, rows) => await access.admitted(tx, viewer, rows);
    const shown = new ShownUnits({ ...apis, admitted });
    const access = new UnitAccess({ ...apis, lists, store, shown });
    const shared = { ...apis, reminders, store, shown, access };
    const crew = new UnitCrew(shared);
    const service = new UnitsService({ ...shared, crew });
    const statuses = new StatusesService(shared);
    const found = new FoundUnits(shared);
    return {
      api: store.api,
      routes: unitsRoutes({ service, crew, shown, statuses, access }),
      topics: unitsTopics(),
      search: [{ kind: "units", find: async (viewer, query, limit) => await found.hits(viewer, query, limit) }],
      exports: [unitsExportKind(found)],
      events: unitsEvents(crew, reminders),
      tasks: unitsTasks(crew, reminders),
      retention: [
        unitsRetention({
          events: pruneEvents,
          units: async (tx, before, limit) => {
            const ids = await removeDeleted(tx, before, limit);
            await lists.remove(tx, ids);
            return ids.length;
          },
          statuses: pruneStatuses,
        }),
      ],
      demo: async (demo) => await new UnitsDemo({ ...shared, crew, service, statuses }).load(demo),
    };
  },
});
