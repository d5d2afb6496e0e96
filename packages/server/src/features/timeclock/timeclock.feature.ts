import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { Zone } from "#core/zone.ts";
import { absencesApi } from "#features/absences/absences.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { timeclockContract } from "./timeclock.contract.ts";
import { removeCorrections } from "./timeclock.corrections.repo.ts";
import { CorrectionsService } from "./timeclock.corrections.service.ts";
import { DecisionsService } from "./timeclock.decisions.service.ts";
import { timeclockDemoGrants } from "./timeclock.demo.policy.ts";
import { TimeclockDemo } from "./timeclock.demo.service.ts";
import { timeclockEvents } from "./timeclock.events.ts";
import { timeclockExportKind } from "./timeclock.export.kind.service.ts";
import { FreeTimes } from "./timeclock.free.service.ts";
import { HoursService } from "./timeclock.hours.service.ts";
import { InactiveService } from "./timeclock.inactive.service.ts";
import { EntryRecord } from "./timeclock.record.service.ts";
import { removeDays, removeEntries } from "./timeclock.repo.ts";
import { timeclockRoutes, timeclockTopics } from "./timeclock.routes.ts";
import { purgeTimeclock, timeclockRetention } from "./timeclock.schedules.ts";
import {
  timeclockCorrections,
  timeclockDays,
  timeclockEntries,
  timeclockFill,
  timeclockJobs,
  timeclockPeople,
} from "./timeclock.schema.ts";
import { TimeclockService } from "./timeclock.service.ts";
import { ShownEntries } from "./timeclock.shown.service.ts";
import { TargetsService } from "./timeclock.targets.service.ts";
import { timeclockTasks } from "./timeclock.worker.ts";

export const timeclockFeature = defineFeature<Config>({
  name: "timeclock",
  about:
    "How long people worked in a job. An *entry* is a duty that has ended; the running one stays with duty. *Days* are the sums of entries by local day. A *correction* is another beginning or end of an entry, which somebody of a higher grade decides; what the game reports too late is *proposed* until then. A *target* is how many hours a week a job wants of a grade.",
  needs: ["absences", "accounts", "approvals", "audit", "citizens", "colleagues", "duty", "jobs"],
  contract: {
    ...timeclockContract,
    retention: [purgeTimeclock],
    keptForGood: [
      { kind: "targets", tables: ["timeclock_jobs"] },
      { kind: "people", tables: ["timeclock_people"] },
      { kind: "fill", tables: ["timeclock_fill"] },
    ],
  },
  tables: [timeclockEntries, timeclockDays, timeclockCorrections, timeclockJobs, timeclockFill, timeclockPeople],
  demoGrants: timeclockDemoGrants,
  create(context) {
    const shared = {
      ...context,
      audit: context.use(auditApi),
      absences: context.use(absencesApi),
      duty: context.use(dutyApi),
      jobs: context.use(jobsApi),
      approvals: () => context.registry.approvals(),
      zone: new Zone(context.config.database.dsn.zone),
    };
    const service = new TimeclockService(shared);
    const shown = new ShownEntries(shared);
    const parts = { ...shared, service, shown, free: new FreeTimes(shared), record: new EntryRecord(shared) };
    const corrections = new CorrectionsService(parts);
    const decisions = new DecisionsService(parts);
    const targets = new TargetsService({ ...shared, service });
    const hours = new HoursService({ ...shared, shown, targets });
    return {
      routes: timeclockRoutes({ hours, corrections, targets, inactive: new InactiveService(shared) }),
      topics: timeclockTopics(),
      exports: [timeclockExportKind(hours)],
      approvalHandlers: [decisions.handler],
      events: timeclockEvents(service),
      tasks: timeclockTasks(service),
      retention: [timeclockRetention({ entries: removeEntries, corrections: removeCorrections, days: removeDays })],
      demo: async (demo) => await new TimeclockDemo({ ...shared, service, corrections }).load(demo),
      start: async () => await service.start(),
    };
  },
});
