import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import {
  cancelCorrection,
  closePeriod,
  getHours,
  getLoad,
  getPayRules,
  getPeriod,
  getTargets,
  getTeam,
  listEntries,
  listInactive,
  listLaterChanges,
  listPeriods,
  listPeriodSums,
  putPayRules,
  putTargets,
  requestCorrection,
  requestMissing,
  timeclockChanged,
  timeclockTopic,
} from "./timeclock.contract.ts";
import type { ClosingService } from "./timeclock.closing.service.ts";
import type { CorrectionsService } from "./timeclock.corrections.service.ts";
import type { HoursService } from "./timeclock.hours.service.ts";
import type { InactiveService } from "./timeclock.inactive.service.ts";
import type { LoadService } from "./timeclock.load.service.ts";
import type { MissingService } from "./timeclock.missing.service.ts";
import type { PayRulesService } from "./timeclock.payrules.service.ts";
import type { PeriodsService } from "./timeclock.periods.service.ts";
import type { TargetsService } from "./timeclock.targets.service.ts";

export interface TimeclockUseCases {
  readonly hours: HoursService;
  readonly corrections: CorrectionsService;
  readonly missing: MissingService;
  readonly targets: TargetsService;
  readonly inactive: InactiveService;
  readonly load: LoadService;
  readonly periods: PeriodsService;
  readonly closing: ClosingService;
  readonly rules: PayRulesService;
}

export function timeclockRoutes(cases: TimeclockUseCases): Binding[] {
  const { hours, corrections, missing, targets, inactive, load, periods, closing, rules } = cases;
  return [
    bind(getPayRules, async (call) => await rules.get(call.viewer())),
    bind(putPayRules, async (call, { body }) => await rules.put(call, body)),
    bind(listPeriods, async (call, { query }) => await periods.list(call.viewer(), query)),
    bind(getPeriod, async (call, { params }) => await periods.get(call.viewer(), params.id)),
    bind(closePeriod, async (call, { params, body }) => await closing.close(call, params.id, body.version)),
    bind(listPeriodSums, async (call, { query }) => await periods.sums(call.viewer(), query)),
    bind(listLaterChanges, async (call, { query }) => await periods.later(call.viewer(), query)),
    bind(getHours, async (call, { params, query }) => await hours.hours(call.viewer(), params.id, query)),
    bind(listEntries, async (call, { query }) => await hours.entries(call.viewer(), query)),
    bind(getTeam, async (call, { query }) => await hours.team(call.viewer(), query)),
    bind(getLoad, async (call, { query }) => await load.load(call.viewer(), query)),
    bind(listInactive, async (call, { query }) => await inactive.list(call.viewer(), query.days)),
    bind(requestCorrection, async (call, { params, body }) => await corrections.request(call, params.id, body)),
    bind(requestMissing, async (call, { body }) => await missing.request(call, body)),
    bind(cancelCorrection, async (call, { params, body }) => await corrections.cancel(call, params.id, body.version)),
    bind(getTargets, async (call) => await targets.get(call.viewer())),
    bind(putTargets, async (call, { body }) => await targets.put(call, body)),
  ];
}

export function timeclockTopics(): TopicBinding[] {
  return [
    {
      topic: timeclockTopic,
      authorize: async ({ job: own }) => ({
        class: own,
        view: (data) => ((data as { job: string }).job === own ? data : null),
      }),
      project({ type, payload }) {
        if (type !== timeclockChanged.id) return [];
        return (payload as { jobs: string[] }).jobs.map((job) => ({ key: null, data: { job } }));
      },
    },
  ];
}
