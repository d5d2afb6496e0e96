import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { batchLimit } from "#features/sync/sync.contract.ts";
import { dutyContract } from "./duty.contract.ts";
import { dutyDemoGrants } from "./duty.demo.policy.ts";
import { dutyEvents, dutyListeners } from "./duty.events.ts";
import { DutyDemo } from "./duty.demo.service.ts";
import { dutyExportKind } from "./duty.export.kind.service.ts";
import { DutyCalls } from "./duty.calls.service.ts";
import { DutyByHand } from "./duty.hand.service.ts";
import { DutyMismatches } from "./duty.mismatches.service.ts";
import { pruneSilences } from "./duty.history.repo.ts";
import { DutyHistory } from "./duty.history.service.ts";
import { pruneMismatches, prunePeriods, pruneReports, pruneSources } from "./duty.repo.ts";
import { DutyReports } from "./duty.reports.service.ts";
import { dutyRoutes, dutyTopics } from "./duty.routes.ts";
import { DutyRulesService } from "./duty.rules.service.ts";
import { dutyRetention, purgeDuty } from "./duty.schedules.ts";
import { dutyJobs, dutyMismatches, dutyPeople, dutyPeriods, dutyReports, dutySilences, dutySources } from "./duty.schema.ts";
import { DutyService } from "./duty.service.ts";
import { DutySigns } from "./duty.signs.service.ts";
import { DutySources } from "./duty.sources.service.ts";
import { DutyStore } from "./duty.store.service.ts";
import { dutySync } from "./duty.sync.ts";
import { dutyTasks } from "./duty.worker.ts";

export const dutyFeature = defineFeature<Config>({
  name: "duty",
  about:
    "Who works in which job now. A game server reports it as *events* (on, off, dropped, loaded), and each position is a *sign of life*. Somebody who dropped is *missing* for five minutes; while the game server is *silent*, its people are *uncertain*. *By hand* is what people enter in the browser. A *period* is a duty that has ended.",
  needs: ["audit", "citizens", "jobs", "sync"],
  contract: { ...dutyContract, retention: [purgeDuty] },
  tables: [dutyPeople, dutySources, dutyReports, dutyPeriods, dutySilences, dutyJobs, dutyMismatches],
  demoGrants: dutyDemoGrants,
  create(context) {
    const shared = { ...context, audit: context.use(auditApi), jobs: context.use(jobsApi), sync: context.use(syncApi) };
    const store = new DutyStore(shared);
    const rules = new DutyRulesService(shared);
    const sources = new DutySources({ ...shared, store });
    const log = context.logs.subsystem("duty");
    const mismatches = new DutyMismatches({ ...shared, log });
    const signs = new DutySigns({ ...shared, log, store, sources, mismatches });
    const service = new DutyService({ ...shared, store, signs });
    const byHand = new DutyByHand({ ...shared, store, rules });
    const history = new DutyHistory({ ...shared, zone: context.config.database.dsn.zone });
    const calls = new DutyCalls(shared);
    const sync = dutySync(new DutyReports({ ...shared, store, sources, rules, mismatches }));
    return {
      api: service.api,
      routes: [...dutyRoutes(service, byHand, rules, history), ...sync.routes],
      topics: dutyTopics(),
      sync: sync.kinds,
      exports: [dutyExportKind(history)],
      syncLimits: [{ kind: "duty", items: batchLimit }],
      tasks: dutyTasks({ db: context.db, service, sources }),
      events: dutyEvents(service),
      listeners: dutyListeners(signs, sources),
      checks: [
        { id: "duty.sources", run: async () => await sources.findings() },
        { id: "duty.calls", run: async () => await calls.findings() },
        { id: "duty.mismatches", run: async () => await mismatches.findings() },
      ],
      retention: [
        dutyRetention({
          reports: pruneReports,
          periods: prunePeriods,
          silences: pruneSilences,
          sources: pruneSources,
          mismatches: pruneMismatches,
        }),
      ],
      demo: async (demo) => await new DutyDemo({ ...shared, store }).load(demo),
      start: async () => await sources.start(),
      stop: async () => void (await Promise.all([signs.stop(), mismatches.stop()])),
    };
  },
});
