import type { Config } from "#config/index.ts";
import { defineFeature } from "#core/feature.ts";
import { Zone } from "#core/zone.ts";
import { accessApi } from "#features/access/access.api.ts";
import { absencesApi } from "#features/absences/absences.api.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { jobgroupsApi } from "#features/jobgroups/jobgroups.api.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { AskingService } from "./timeclock.asking.service.ts";
import { ClosingService } from "./timeclock.closing.service.ts";
import { timeclockContract } from "./timeclock.contract.ts";
import { removeCorrections } from "./timeclock.corrections.repo.ts";
import { CorrectionsService } from "./timeclock.corrections.service.ts";
import { DecisionsService } from "./timeclock.decisions.service.ts";
import { timeclockDemoGrants } from "./timeclock.demo.policy.ts";
import { TimeclockDemo } from "./timeclock.demo.service.ts";
import { EstimatedEnds } from "./timeclock.estimated.service.ts";
import { timeclockEvents } from "./timeclock.events.ts";
import { timeclockExportKind } from "./timeclock.export.kind.service.ts";
import { loadExportKind } from "./timeclock.export.load.service.ts";
import { periodExportKind } from "./timeclock.export.period.service.ts";
import { FreeTimes } from "./timeclock.free.service.ts";
import { HoursService } from "./timeclock.hours.service.ts";
import { InactiveService } from "./timeclock.inactive.service.ts";
import { LaterChanges } from "./timeclock.later.service.ts";
import { LoadService } from "./timeclock.load.service.ts";
import { RequestLimit } from "./timeclock.limit.service.ts";
import { MissingService } from "./timeclock.missing.service.ts";
import { PayRulesService } from "./timeclock.payrules.service.ts";
import { removePeriods } from "./timeclock.periods.repo.ts";
import { PeriodsService } from "./timeclock.periods.service.ts";
import { EntryRecord } from "./timeclock.record.service.ts";
import { removeDays } from "./timeclock.days.repo.ts";
import { removeEntries } from "./timeclock.repo.ts";
import { removeMonths, removeYears } from "./timeclock.sums.repo.ts";
import { timeclockRoutes, timeclockTopics } from "./timeclock.routes.ts";
import { followPeriods, purgeTimeclock, timeclockRetention, timeclockSchedules } from "./timeclock.schedules.ts";
import {
  timeclockCorrections,
  timeclockDays,
  timeclockEntries,
  timeclockFill,
  timeclockJobs,
  timeclockLater,
  timeclockMonths,
  timeclockPeople,
  timeclockPeriods,
  timeclockRules,
  timeclockSums,
  timeclockYears,
} from "./timeclock.schema.ts";
import { TimeclockService } from "./timeclock.service.ts";
import { ShownEntries } from "./timeclock.shown.service.ts";
import { TargetsService } from "./timeclock.targets.service.ts";
import { Whose } from "./timeclock.whose.service.ts";
import { timeclockTasks } from "./timeclock.worker.ts";

export const timeclockFeature = defineFeature<Config>({
  name: "timeclock",
  about:
    "How long people worked in a job. An *entry* is a duty that has ended, or a *missing* one that somebody asked for; the running duty stays with duty. *Days* are the sums of entries by local day, and rows of months and years have the same once more, for sums over many people. A *correction* is another beginning or end of an entry, which somebody of a higher grade decides; what the game reports too late is *proposed* until then. A *pay period* is days of a job whose hours are *closed* together and then stay as they were paid; what is counted or corrected later stands beside it, and the next one pays it. Hours of somebody who has left *rest*: they are in no list, sum or export of people, and return with a new hire within 60 days; after that they are history of the job, which only pay periods still have. A *target* is how many hours a week a job wants of a grade.",
  needs: [
    "absences",
    "access",
    "accounts",
    "approvals",
    "audit",
    "citizens",
    "colleagues",
    "duty",
    "jobgroups",
    "jobs",
    "notifications",
    "settings",
  ],
  contract: {
    ...timeclockContract,
    schedules: [followPeriods],
    retention: [purgeTimeclock],
    keptForGood: [
      { kind: "targets", tables: ["timeclock_jobs"] },
      { kind: "rules", tables: ["timeclock_rules"] },
      { kind: "people", tables: ["timeclock_people"] },
      { kind: "fill", tables: ["timeclock_fill"] },
    ],
  },
  tables: [
    timeclockEntries,
    timeclockDays,
    timeclockMonths,
    timeclockYears,
    timeclockCorrections,
    timeclockJobs,
    timeclockFill,
    timeclockPeople,
    timeclockRules,
    timeclockPeriods,
    timeclockSums,
    timeclockLater,
  ],
  demoGrants: timeclockDemoGrants,
  create(context) {
    const shared = {
      ...context,
      audit: context.use(auditApi),
      access: context.use(accessApi),
      absences: context.use(absencesApi),
      notifications: context.use(notificationsApi),
      duty: context.use(dutyApi),
      jobgroups: context.use(jobgroupsApi),
      jobs: context.use(jobsApi),
      approvals: () => context.registry.approvals(),
      zone: new Zone(context.config.database.dsn.zone),
    };
    const asking = new AskingService(shared);
    const service = new TimeclockService({
      ...shared,
      asking,
      later: new LaterChanges(shared),
      estimated: new EstimatedEnds(shared),
    });
    const shown = new ShownEntries(shared);
    const parts = {
      ...{ ...shared, asking, service, shown },
      ...{ free: new FreeTimes(shared), limit: new RequestLimit(shared), record: new EntryRecord(shared) },
    };
    const corrections = new CorrectionsService(parts);
    const missing = new MissingService(parts);
    const decisions = new DecisionsService(parts);
    const targets = new TargetsService({ ...shared, service });
    const whose = new Whose(shared);
    const hours = new HoursService({ ...shared, shown, targets, whose });
    const load = new LoadService({ ...shared, whose });
    const periods = new PeriodsService(shared);
    const closing = new ClosingService({ ...shared, service, periods });
    const rules = new PayRulesService({ ...shared, service });
    return {
      routes: timeclockRoutes({
        hours,
        corrections,
        missing,
        targets,
        inactive: new InactiveService(shared),
        load,
        periods,
        closing,
        rules,
      }),
      topics: timeclockTopics(),
      exports: [timeclockExportKind(hours), loadExportKind(load), periodExportKind(periods)],
      schedules: timeclockSchedules(rules),
      approvalHandlers: decisions.handlers,
      events: timeclockEvents(service),
      tasks: timeclockTasks(service, closing),
      retention: [
        timeclockRetention(
          {
            entries: removeEntries,
            corrections: removeCorrections,
            days: removeDays,
            months: removeMonths,
            years: removeYears,
            periods: removePeriods,
          },
          context.use(settingsApi),
        ),
      ],
      demo: async (demo) => await new TimeclockDemo({ ...shared, service, corrections, missing, rules }).load(demo),
      start: async () => await service.start(),
    };
  },
});
