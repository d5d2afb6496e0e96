import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { Zone } from "#core/zone.ts";
import { accessApi } from "#features/access/access.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { postalsApi } from "#features/postals/postals.api.ts";
import { CallsForOthers } from "./calls.api.service.ts";
import { callsContract } from "./calls.contract.ts";
import { callsDemoGrants } from "./calls.demo.policy.ts";
import { CallsDemo } from "./calls.demo.service.ts";
import { DeskOfCalls } from "./calls.desk.service.ts";
import { callsEvents } from "./calls.events.ts";
import { callsExportKind } from "./calls.export.kind.service.ts";
import { removeFolds } from "./calls.fold.repo.ts";
import { HandOverService } from "./calls.handover.service.ts";
import { LinksService } from "./calls.links.service.ts";
import { CallLists } from "./calls.list.service.ts";
import { NewCalls } from "./calls.new.service.ts";
import { OpenedCalls } from "./calls.opened.service.ts";
import { callsSearchKind } from "./calls.policy.ts";
import { callsRoutes, callsTopics } from "./calls.routes.ts";
import { callsRetention, purgeCalls } from "./calls.schedules.ts";
import {
  calls,
  callsAlerts,
  callsArrivals,
  callsCallers,
  callsEntries,
  callsFolds,
  callsHandovers,
  callsJobs,
  callsLinks,
  callsList,
  callsMerges,
  callsRules,
  callsStorms,
  callsStormsAlerts,
  callsStormsJobs,
  callsStormsPlaces,
  callsTypes,
} from "./calls.schema.ts";
import { MergeService } from "./calls.merge.service.ts";
import { CallsService } from "./calls.service.ts";
import { ShownCalls } from "./calls.shown.service.ts";
import { StormAlerts } from "./calls.storm.alerts.service.ts";
import { removeArrivals, removeStorms } from "./calls.storm.repo.ts";
import { StormsService } from "./calls.storm.service.ts";
import { CallsStore } from "./calls.store.service.ts";
import { TakeOver } from "./calls.takeover.service.ts";
import { removeDeleted } from "./calls.types.repo.ts";
import { TypesService } from "./calls.types.service.ts";
import { WorkOfCalls } from "./calls.work.service.ts";
import { callsTasks } from "./calls.worker.ts";

export const callsFeature = defineFeature<Config>({
  name: "calls",
  about:
    "Calls for help to one or several jobs, as the dispatch centre works them. An *incident type* of a job says what a call is about: its code, priority, checklist, and the questions for intake. A *caller* may be *anonymous*. What several report about the same is *folded*: each *alert* is added to one call. The *timeline* says what happened, with *notes* for all jobs of the call or for one. *Archived* is a call that ended some time ago. The *outcome* is what was written when it was completed. Of two calls that are *merged*, the older one stays, and the other one is a part of it; *split* opens another one from a part of it, and a *link* says that two have to do with one another. Of one person or one source more than so many alerts a minute are a *storm*: they wait until somebody makes calls of them. A job *hands a call over* to another one, which accepts or declines.",
  needs: ["access", "accounts", "audit", "citizens", "duty", "icons", "jobs", "notifications", "postals", "sync"],
  contract: { ...callsContract, retention: [purgeCalls], keptForGood: [{ kind: "rules", tables: ["calls_rules"] }] },
  tables: [
    calls,
    callsJobs,
    callsCallers,
    callsAlerts,
    callsArrivals,
    callsEntries,
    callsFolds,
    callsHandovers,
    callsLinks,
    callsMerges,
    callsStorms,
    callsStormsAlerts,
    callsStormsJobs,
    callsStormsPlaces,
    callsTypes,
    callsRules,
  ],
  lists: [callsList],
  demoGrants: callsDemoGrants,
  create(context) {
    const shared = {
      ...context,
      access: context.use(accessApi),
      audit: context.use(auditApi),
      duty: context.use(dutyApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      postals: context.use(postalsApi),
      zone: new Zone(context.config.database.dsn.zone),
    };
    const work = new WorkOfCalls();
    const desk = new DeskOfCalls();
    const store = new CallsStore({ ...shared, work });
    const shown = new ShownCalls({ ...shared, work, desk });
    const opened = new OpenedCalls({ ...shared, shown });
    const service = new CallsService({ ...shared, store, shown, opened, work });
    const lists = new CallLists({ ...shared, shown, work });
    const types = new TypesService(shared);
    const alerts = new StormAlerts(shared);
    const storms = new StormsService({ ...shared, store, shown, alerts });
    const created = new NewCalls({ ...shared, store, alerts });
    const takeOver = new TakeOver({ ...shared, store, work });
    const handover = new HandOverService({ ...shared, store, opened, takeOver, work, desk, created });
    return {
      api: new CallsForOthers({ ...shared, store, shown, work, desk }),
      routes: callsRoutes({
        service,
        merges: new MergeService({ ...shared, store, shown, opened, work }),
        links: new LinksService({ ...shared, store, shown, opened, work }),
        created,
        handover,
        lists,
        storms,
        types,
      }),
      topics: callsTopics(),
      search: [{ kind: callsSearchKind, find: async (viewer, query, limit) => await lists.hits(viewer, query, limit) }],
      exports: [callsExportKind(lists)],
      events: callsEvents(service),
      tasks: callsTasks(service, handover, alerts),
      retention: [
        callsRetention({
          ended: async (tx, before, limit) => await store.removeEnded(tx, before, limit),
          folds: removeFolds,
          storms: removeStorms,
          arrivals: removeArrivals,
          types: removeDeleted,
        }),
      ],
      demo: async (demo) => await new CallsDemo({ ...shared, store, alerts }).load(demo),
    };
  },
});
