import { Type, type Static } from "typebox";
import {
  access,
  defineEvent,
  defineOperation,
  defineOrders,
  defineSavedViews,
  defineTopic,
  defineWorkerTask,
  extend,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Version,
} from "#core/contract/index.ts";
import { dutyStates } from "#features/duty/duty.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";
import { listActivity } from "./colleagues.activity.contract.ts";
import {
  affix,
  changedFields,
  citizenId,
  colleagueFields,
  colleaguesErrors,
  colleaguesLimits,
  colleaguesPermissions,
  exampleGiven,
  GivenLabel,
  mostLabels,
  reason,
  writtenAffix,
} from "./colleagues.base.contract.ts";
import {
  changeLabels,
  createLabel,
  listExpiring,
  listLabels,
  orderLabels,
  putLabel,
  removeLabel,
  restoreLabel,
} from "./colleagues.labels.contract.ts";
import { jobRequest, listMoves, moveDone, moveLost, moveRefused, requestMove } from "./colleagues.moves.contract.ts";
import { listNames, namesTopic } from "./colleagues.names.contract.ts";
import { getJobStatistics, statisticsTopic } from "./colleagues.statistics.contract.ts";
import { syncActivities, syncColleagues, syncStaff } from "./colleagues.sync.contract.ts";

export * from "./colleagues.activity.contract.ts";
export * from "./colleagues.base.contract.ts";
export * from "./colleagues.labels.contract.ts";
export * from "./colleagues.moves.contract.ts";
export * from "./colleagues.names.contract.ts";
export * from "./colleagues.statistics.contract.ts";
export * from "./colleagues.sync.contract.ts";

/** Filters of the list. */
export const colleaguesViews = defineSavedViews("colleagues.views");

/** Orders of the list: `rank` is the highest grade first. */
export const colleaguesOrders = defineOrders(["rank", "name", "since"], { default: "rank" });

export const ColleagueRow = Type.Object({
  /** Of the citizen, also as `CIT-12`. */
  id: citizenId,
  version: Version,
  name: Type.String(),
  prefix: Nullable(affix),
  suffix: Nullable(affix),
  job: JobBadge,
  /** Null for those who were there before Rollcall looked. */
  since: Nullable(Instant),
  /** Null for somebody off duty here. */
  onDuty: Nullable(Type.Object({ since: Instant, state: OneOf(dutyStates) })),
  /** Absent when the viewer may not see them of this person. */
  labels: Type.Optional(Type.Array(GivenLabel)),
});
export type ColleagueRow = Static<typeof ColleagueRow>;

export const Colleague = extend(ColleagueRow, {
  /** Absent when the viewer may not see it of this person. */
  note: Type.Optional(Nullable(Type.String())),
  hidden: Type.Array(OneOf(colleagueFields)),
  /** What the viewer may change. */
  may: Type.Array(OneOf(changedFields)),
});
export type Colleague = Static<typeof Colleague>;

const exampleRow: ColleagueRow = {
  id: 12,
  version: 1,
  name: "Mara Lind",
  prefix: null,
  suffix: "FTO",
  job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" },
  since: 1_790_000_000_000,
  onDuty: { since: 1_790_000_000_000, state: "on" },
  labels: [exampleGiven],
};
const exampleColleague: Colleague = { ...exampleRow, note: "Trains on Thursdays.", hidden: [], may: ["note"] };
const byId = Type.Object({ id: citizenId });

const narrowing = {
  q: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Part of the name, or the beginning of the callsign of the unit that somebody is in",
    }),
  ),
  label: Type.Optional(
    Type.String({
      pattern: `^[1-9]\\d{0,9}(,[1-9]\\d{0,9}){0,${mostLabels - 1}}$`,
      "x-problem": `must be up to ${mostLabels} IDs of labels, with commas between them`,
      description:
        "IDs of labels, with commas between them: people who have all of them. Needs `colleagues.view` with the field `labels`",
    }),
  ),
  fromGrade: Type.Optional(Type.Integer({ minimum: 0 })),
  belowGrade: Type.Optional(Type.Integer({ minimum: 0 })),
  duty: Type.Optional(OneOf(["on", "off"])),
  absent: Type.Optional(OneOf(["yes", "no"], { description: "Needs `absences.list`" })),
  ...colleaguesOrders.query,
};

export const ColleaguesFilters = Type.Object(narrowing);

/** The kind of exports (`exports.request`) with the list as CSV. */
export const colleaguesExport = "colleagues.list";

/** Most colleagues of one export. */
export const mostExported = 100_000;

export const listColleagues = defineOperation({
  id: "colleagues.list",
  method: "GET",
  path: "/api/colleagues",
  summary: "List and search the people of your job",
  access: access.permission(colleaguesPermissions.list),
  rate: "search",
  input: { query: Type.Object({ ...pageQuery, ...narrowing }) },
  output: PageOf(ColleagueRow),
  errors: [colleaguesErrors.fieldHidden, colleaguesErrors.absencesHidden],
  example: { query: { q: "lind" }, output: { items: [exampleRow], next: null, total: 1, totalCapped: false } },
});

export const getColleague = defineOperation({
  id: "colleagues.get",
  method: "GET",
  path: "/api/colleagues/:id",
  summary: "Open a colleague",
  access: access.permission(colleaguesPermissions.view),
  rate: "read",
  input: { params: byId },
  output: Colleague,
  errors: [colleaguesErrors.notFound],
  example: { params: { id: 12 }, output: exampleColleague },
});

/** What is left out stays as it is. An empty text erases like null. */
export const ColleagueChange = Type.Object({
  version: Version,
  reason,
  note: Type.Optional(Nullable(Type.String({ maxLength: colleaguesLimits.note }))),
  prefix: Type.Optional(Nullable(writtenAffix)),
  suffix: Type.Optional(Nullable(writtenAffix)),
});
export type ColleagueChange = Static<typeof ColleagueChange>;

export const putColleague = defineOperation({
  id: "colleagues.put",
  method: "PUT",
  path: "/api/colleagues/:id",
  summary: "Change the note or the name of a colleague",
  access: access.permission(colleaguesPermissions.edit),
  rate: "write",
  input: { params: byId, body: ColleagueChange },
  output: Colleague,
  errors: [colleaguesErrors.notFound, colleaguesErrors.fieldHidden, colleaguesErrors.notYours, colleaguesErrors.stale],
  example: {
    params: { id: 12 },
    body: { version: 1, reason: "New shift", note: "Trains on Thursdays." },
    output: exampleColleague,
  },
});

/** What every page about a job may need to know: who works there, or what stands around names. */
export const changedParts = ["staff", "names"] as const;
export type ChangedPart = (typeof changedParts)[number];

/** People of these jobs changed, or labels of them. Without who and what, which not every viewer may know. */
export const colleaguesChanged = defineEvent({
  id: "colleagues.changed",
  version: 1,
  payload: Type.Object({
    jobs: Type.Array(Type.String()),
    /** What of these is concerned; any of them where it is left out. */
    about: Type.Optional(Type.Array(OneOf(changedParts))),
  }),
});

/** People came into jobs in which nothing of theirs rested: new there, or back after more than 60 days. */
export const colleaguesBegan = defineEvent({
  id: "colleagues.began",
  version: 1,
  payload: Type.Object({ items: Type.Array(Type.Object({ citizenId: Type.Integer(), job: Type.String() })) }),
});

/** Something changed about the people of the own job, or who of them is on duty or absent. */
export const colleaguesTopic = defineTopic({
  name: "colleagues",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: { answers: [listColleagues, getColleague, listLabels, listExpiring, listActivity, listMoves] },
  example: { job: "police" },
});

/** Fills in the people who were there before this feature, some at a time. */
export const fillColleagues = defineWorkerTask({
  id: "colleagues.fill",
  payload: Type.Object({}),
  lane: "bulk",
});

export const colleaguesContract = {
  operations: [
    listColleagues,
    getColleague,
    putColleague,
    listLabels,
    createLabel,
    putLabel,
    removeLabel,
    restoreLabel,
    orderLabels,
    changeLabels,
    listExpiring,
    listActivity,
    getJobStatistics,
    listMoves,
    requestMove,
    listNames,
    syncColleagues,
    syncActivities,
    syncStaff,
  ],
  gameRequests: [jobRequest],
  notifications: [moveDone, moveRefused, moveLost],
  events: [colleaguesChanged, colleaguesBegan],
  topics: [colleaguesTopic, namesTopic, statisticsTopic],
  tasks: [fillColleagues],
  objects: ["colleagues.label"],
  errors: colleaguesErrors,
  permissions: Object.values(colleaguesPermissions),
  preferences: [colleaguesViews],
};
