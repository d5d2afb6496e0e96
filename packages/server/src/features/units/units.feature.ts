import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { postalsApi } from "#features/postals/postals.api.ts";
import { unitsContract } from "./units.contract.ts";
import { UnitCrew } from "./units.crew.service.ts";
import { unitsDemoGrants } from "./units.demo.policy.ts";
import { UnitsDemo } from "./units.demo.service.ts";
import { unitsEvents } from "./units.events.ts";
import { UnitReminders } from "./units.reminders.service.ts";
import { removeDeleted } from "./units.repo.ts";
import { unitsRoutes, unitsTopics } from "./units.routes.ts";
import { purgeUnits, unitsRetention } from "./units.schedules.ts";
import { units, unitsEvents as eventsTable, unitsMembers, unitsRules, unitsStatuses } from "./units.schema.ts";
import { UnitsService } from "./units.service.ts";
import { ShownUnits } from "./units.shown.service.ts";
import { pruneEvents, pruneStatuses } from "./units.statuses.repo.ts";
import { StatusesService } from "./units.statuses.service.ts";
import { UnitStore } from "./units.store.service.ts";
import { unitsTasks } from "./units.worker.ts";

export const unitsFeature = defineFeature<Config>({
  name: "units",
  about:
    "The crews of a job, such as a patrol car. A *unit* has a *status*: one of four *base kinds* (available, busy, on a break, unavailable), or a *custom status* of the job that behaves as one. People on duty join one unit at a time. A *static* unit does not move and is never available; a *temporary* one is dissolved once it was empty for 15 minutes. A unit is *grey* while nobody of its crew is there.",
  needs: ["accounts", "audit", "citizens", "duty", "icons", "jobs", "notifications", "postals"],
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
    const shown = new ShownUnits(apis);
    const shared = { ...apis, reminders, store, shown };
    const crew = new UnitCrew(shared);
    const service = new UnitsService({ ...shared, crew });
    const statuses = new StatusesService(shared);
    return {
      api: store.api,
      routes: unitsRoutes({ service, crew, shown, statuses }),
      topics: unitsTopics(),
      events: unitsEvents(crew, reminders),
      tasks: unitsTasks(crew, reminders),
      retention: [unitsRetention({ events: pruneEvents, units: removeDeleted, statuses: pruneStatuses })],
      demo: async (demo) => await new UnitsDemo({ ...shared, crew, service, statuses }).load(demo),
    };
  },
});
