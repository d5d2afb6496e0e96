import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { accessApi } from "#features/access/access.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { callsApi } from "#features/calls/calls.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { positionsApi } from "#features/positions/positions.api.ts";
import { postalsApi } from "#features/postals/postals.api.ts";
import { panicContract } from "./panic.contract.ts";
import { panicDemoGrants } from "./panic.demo.policy.ts";
import { PanicDemo } from "./panic.demo.service.ts";
import { panicEvents, panicListeners } from "./panic.events.ts";
import { panicExportKind } from "./panic.export.kind.service.ts";
import { PanicFollow } from "./panic.follow.service.ts";
import { PanicLists } from "./panic.list.service.ts";
import { PanicPlaces } from "./panic.places.service.ts";
import { panicRoutes, panicTopics } from "./panic.routes.ts";
import { PanicRulesService } from "./panic.rules.service.ts";
import { panicRetention, purgePanics } from "./panic.schedules.ts";
import { panic, panicAlarms, panicList, panicRules } from "./panic.schema.ts";
import { LastPlaces } from "./panic.seen.service.ts";
import { PanicService } from "./panic.service.ts";
import { ShownPanics } from "./panic.shown.service.ts";
import { PanicStore } from "./panic.store.service.ts";
import { panicTasks } from "./panic.worker.ts";

export const panicFeature = defineFeature<Config>({
  name: "panic",
  about:
    "Somebody on duty is in danger and presses a button. A *panic* is a call that no rule of calls holds back; it *alarms* the job of the person, and the one that gets the panics of a job without a dispatch centre. An *alarm* of a job rings until somebody in it *acknowledges*. The *outcome* says what the panic was: real, false or a test.",
  needs: ["access", "accounts", "audit", "calls", "citizens", "duty", "jobs", "notifications", "positions", "postals", "sync"],
  contract: {
    ...panicContract,
    retention: [purgePanics],
    keptForGood: [{ kind: "rules", tables: ["panic_rules"] }],
  },
  tables: [panic, panicAlarms, panicRules],
  lists: [panicList],
  demoGrants: panicDemoGrants,
  create(context) {
    const shared = {
      ...context,
      log: context.logs.subsystem("panic"),
      access: context.use(accessApi),
      audit: context.use(auditApi),
      calls: context.use(callsApi),
      duty: context.use(dutyApi),
      jobs: context.use(jobsApi),
      notifications: context.use(notificationsApi),
      positions: context.use(positionsApi),
      postals: context.use(postalsApi),
    };
    const store = new PanicStore(shared);
    const shown = new ShownPanics(shared);
    const follow = new PanicFollow({ ...shared, store });
    const seen = new LastPlaces(shared);
    const places = new PanicPlaces({ ...shared, shown, seen });
    const lists = new PanicLists({ ...shared, shown });
    const rules = new PanicRulesService({ ...shared, store });
    return {
      routes: panicRoutes({ service: new PanicService({ ...shared, store, shown, follow }), lists, rules }),
      topics: panicTopics(places),
      events: panicEvents(store),
      listeners: panicListeners(places),
      tasks: panicTasks(follow),
      exports: [panicExportKind(lists)],
      retention: [panicRetention(async (tx, before, limit) => await store.removeEnded(tx, before, limit))],
      demo: async (demo) => await new PanicDemo({ ...shared, store }).load(demo),
      start: async () => await places.start(),
      stop: async () => await seen.stop(),
    };
  },
});
