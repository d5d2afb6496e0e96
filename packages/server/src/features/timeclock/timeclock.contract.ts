import { Type, type Static } from "typebox";
import {
  access,
  Day,
  days,
  defineEvent,
  defineNotification,
  defineOperation,
  defineTopic,
  defineWorkerTask,
  Instant,
  Nullable,
  PageOf,
  pageQuery,
} from "#core/contract/index.ts";
import { jobgroupsErrors } from "#features/jobgroups/jobgroups.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";
import {
  DaySum,
  MonthSum,
  Entry,
  exampleEntry,
  id,
  mostDays,
  mostPeople,
  mostPlottedDays,
  mostShownDays,
  Target,
  Targets,
  timeclockErrors,
  timeclockPermissions,
} from "./timeclock.base.contract.ts";
import { getLoad, teamFilter } from "./timeclock.load.contract.ts";
import { correctionMachine, entryMachine, periodMachine } from "./timeclock.machine.ts";
import {
  freezePeriod,
  getPayRules,
  getPeriod,
  listLaterChanges,
  listPeriods,
  listPeriodSums,
  periodEnded,
  periodOperations,
  periodTouched,
} from "./timeclock.periods.contract.ts";
import {
  cancelCorrection,
  correctionApproval,
  missingApproval,
  requestCorrection,
  requestMissing,
} from "./timeclock.requests.contract.ts";

export * from "./timeclock.base.contract.ts";
export * from "./timeclock.load.contract.ts";
export * from "./timeclock.periods.contract.ts";
export * from "./timeclock.requests.contract.ts";

/** Sums of days and pay periods are kept so long; entries as the setting says. Milliseconds. */
export const daysKeptMs = days(5 * 365);

/** The kind of exports (`exports.request`) with entries as CSV. */
export const timeclockExport = "timeclock.entries";
export const mostExported = 250_000;

const range = { firstDay: Day, lastDay: Day };
const exampleRange = { firstDay: "2026-11-16", lastDay: "2026-11-22" };
const byId = Type.Object({ id });
const rangeErrors = [timeclockErrors.lastBeforeFirst, timeclockErrors.tooManyDays];

export const EntriesFilter = Type.Object({ ...range, citizenId: Type.Optional(id) });

/** `from` and `until` are the first instant of the range and the first one after it. Days without an entry are left out. The running duty is none of them: `duty.own` and `duty.list` say since when it runs. */
export const PersonHours = Type.Object({
  id,
  name: Type.String(),
  job: JobBadge,
  zone: Type.String({ description: "IANA time zone of the days" }),
  from: Instant,
  until: Instant,
  days: Type.Array(DaySum, { maxItems: mostDays }),
  seconds: Type.Integer({ minimum: 0 }),
  targetHours: Nullable(Type.Integer({ minimum: 1, description: "What the job wants of the grade in a week" })),
});
export type PersonHours = Static<typeof PersonHours>;

const examplePerson: PersonHours = {
  id: 12,
  name: "Mara Lind",
  job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" },
  zone: "Europe/Berlin",
  from: 1_794_783_600_000,
  until: 1_795_388_400_000,
  days: [{ day: "2026-11-18", seconds: 7200 }],
  seconds: 7200,
  targetHours: 8,
};

export const getHours = defineOperation({
  id: "timeclock.hours",
  method: "GET",
  path: "/api/timeclock/people/:id",
  summary: "How long you, or a colleague whom your permission covers, worked on each day",
  access: access.character(),
  rate: "read",
  input: { params: byId, query: Type.Object(range) },
  output: PersonHours,
  errors: [timeclockErrors.notFound, ...rangeErrors],
  example: { params: { id: 12 }, query: exampleRange, output: examplePerson },
});

export const listEntries = defineOperation({
  id: "timeclock.list",
  method: "GET",
  path: "/api/timeclock/entries",
  summary: "Entries of yours, or of a colleague whom your permission covers, with their corrections, the latest first",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object({ ...pageQuery, ...range, citizenId: id }) },
  output: PageOf(Entry),
  errors: [timeclockErrors.notFound, ...rangeErrors],
  example: {
    query: { ...exampleRange, citizenId: 12 },
    output: { items: [exampleEntry], next: null, total: 1, totalCapped: false },
  },
});

export const TeamHours = Type.Object({
  zone: Type.String({ description: "IANA time zone of the days" }),
  people: Type.Array(
    Type.Object({
      id,
      name: Type.String(),
      job: JobBadge,
      seconds: Type.Integer({ minimum: 0 }),
      targetHours: Nullable(Type.Integer({ minimum: 1 })),
      days: Type.Array(DaySum, { description: `Empty where the range has more than ${mostShownDays} days` }),
    }),
    { maxItems: mostPeople, description: "Who worked in the range, the longest first" },
  ),
  complete: Type.Boolean({ description: "False when there are more people; a grade narrows them" }),
  days: Type.Array(DaySum, {
    description: `Of all of them together; empty where the range has more than ${mostPlottedDays} days`,
  }),
  months: Type.Array(MonthSum, { description: "Instead of days, where the range has more of them; of the range alone" }),
});
export type TeamHours = Static<typeof TeamHours>;

export const getTeam = defineOperation({
  id: "timeclock.team",
  method: "GET",
  path: "/api/timeclock/team",
  summary: "How long the colleagues whom your permission covers worked on each day",
  access: access.permission(timeclockPermissions.view),
  rate: "search",
  input: { query: Type.Object({ ...range, ...teamFilter }) },
  output: TeamHours,
  errors: [...rangeErrors, jobgroupsErrors.notFound],
  example: {
    query: exampleRange,
    output: {
      zone: "Europe/Berlin",
      people: [{ ...examplePerson, days: examplePerson.days }].map(({ zone: _zone, from: _from, until: _until, ...one }) => one),
      complete: true,
      days: examplePerson.days,
      months: [],
    },
  },
});

/** Who has no entry in so many days, of those who are off duty, without days of absence. */
export const InactivePeople = Type.Object({
  people: Type.Array(
    Type.Object({
      id,
      name: Type.String(),
      job: JobBadge,
      workedAt: Nullable(Instant),
      /** Null for those who were there before Rollcall looked. */
      hiredAt: Nullable(Instant),
      days: Nullable(
        Type.Integer({ minimum: 0, description: "Without an entry, days of absence left out; null: no entry ever" }),
      ),
    }),
    { maxItems: mostPeople, description: "Of the highest grade first" },
  ),
  complete: Type.Boolean({ description: "False when there are more people" }),
});
export type InactivePeople = Static<typeof InactivePeople>;

export const usualInactiveDays = 14;
const inactiveDays = Type.Integer({ minimum: 1, maximum: 90 });

export const listInactive = defineOperation({
  id: "timeclock.inactive",
  method: "GET",
  path: "/api/timeclock/inactive",
  summary: "Colleagues whom your permission covers and who have not worked for some days, 14 by default",
  access: access.permission(timeclockPermissions.view),
  rate: "search",
  input: { query: Type.Object({ days: Type.Optional(inactiveDays) }) },
  output: InactivePeople,
  example: {
    query: { days: 14 },
    output: {
      people: [
        { id: 12, name: "Mara Lind", job: examplePerson.job, workedAt: 1_795_007_200_000, hiredAt: 1_780_000_000_000, days: 21 },
      ],
      complete: true,
    },
  },
});

const exampleTargets: Targets = { version: 1, targets: [{ grade: 2, hours: 8 }] };

export const getTargets = defineOperation({
  id: "timeclock.targets",
  method: "GET",
  path: "/api/timeclock/targets",
  summary: "How many hours a week your job expects of each grade",
  access: access.character(),
  rate: "read",
  input: {},
  output: Targets,
  example: { output: exampleTargets },
});

export const putTargets = defineOperation({
  id: "timeclock.putTargets",
  method: "PUT",
  path: "/api/timeclock/targets",
  summary: "Decide how many hours a week your job expects of each grade",
  access: access.permission(timeclockPermissions.targets),
  rate: "write",
  input: { body: Type.Object({ version: Type.Integer({ minimum: 0 }), targets: Type.Array(Target, { maxItems: 100 }) }) },
  output: Targets,
  errors: [timeclockErrors.stale],
  example: { body: { ...exampleTargets, version: 0 }, output: exampleTargets },
});

/** Entries or targets of these jobs changed. Without who, which not every viewer may know. */
export const timeclockChanged = defineEvent({
  id: "timeclock.changed",
  version: 1,
  payload: Type.Object({ jobs: Type.Array(Type.String()) }),
});

/** Something changed about the hours of the own job. */
export const timeclockTopic = defineTopic({
  name: "timeclock",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: {
    answers: [
      getHours,
      listEntries,
      getTeam,
      getLoad,
      listInactive,
      getTargets,
      getPayRules,
      listPeriods,
      getPeriod,
      listPeriodSums,
      listLaterChanges,
    ],
  },
  example: { job: "police" },
});

/** The end of a shift is the last sign of life: the person can ask for another one. */
export const endEstimated = defineNotification({
  id: "timeclock.endEstimated",
  tone: "info",
  params: ["day", "time"],
  channels: ["bell", "toast"],
});

/** Counts the duties that had ended before this feature, some at a time. */
export const fillTimeclock = defineWorkerTask({ id: "timeclock.fill", payload: Type.Object({}), lane: "bulk" });

export const timeclockContract = {
  operations: [
    getHours,
    listEntries,
    getTeam,
    getLoad,
    listInactive,
    requestCorrection,
    requestMissing,
    cancelCorrection,
    getTargets,
    putTargets,
    ...periodOperations,
  ],
  events: [timeclockChanged],
  topics: [timeclockTopic],
  tasks: [fillTimeclock, freezePeriod],
  notifications: [endEstimated, periodEnded, periodTouched],
  approvals: [correctionApproval, missingApproval],
  machines: [entryMachine, correctionMachine, periodMachine],
  objects: ["timeclock.entry", "timeclock.targets", "timeclock.period", "timeclock.payRules"],
  actions: ["timeclock.decide"],
  errors: timeclockErrors,
  permissions: Object.values(timeclockPermissions),
};
