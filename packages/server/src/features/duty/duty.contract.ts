import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineErrors,
  defineEvent,
  defineOperation,
  definePermission,
  defineSyncKind,
  defineTopic,
  defineWorkerTask,
  Instant,
  Nullable,
  OneOf,
  Version,
} from "#core/contract/index.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";
import { dutyStatistics, historyErrors, historyPermissions } from "./duty.history.contract.ts";
import { syncDuty } from "./duty.sync.contract.ts";

export * from "./duty.history.contract.ts";
export * from "./duty.sync.contract.ts";

/** Who dropped has this long to come back. Milliseconds. */
export const dutyGraceMs = 5 * 60_000;

/** `missing`: the player dropped and may come back. `uncertain`: nobody says whether the person is still there. */
export const dutyStates = ["on", "missing", "uncertain"] as const;
export type DutyState = (typeof dutyStates)[number];

/** How a duty ended. The end of the last three is the last sign of life. */
export const dutyEndings = [
  "off",
  "switched",
  "jobLost",
  "otherCharacter",
  "byHand",
  "limit",
  "missing",
  "silence",
  "restart",
] as const;
export type DutyEnding = (typeof dutyEndings)[number];

/** Whether members of a job may go on and off duty in the browser. `untilSource`: while no game server reports duty of it. */
export const byHandModes = ["on", "off", "untilSource"] as const;
export type ByHandMode = (typeof byHandModes)[number];

export const dutyPermissions = {
  /** Who is on duty in other jobs; in one's own job everybody sees it. */
  view: definePermission("duty.view", { jobs: { type: "jobs" } }),
  /** Whether members go on and off duty by hand. */
  manage: definePermission("duty.manage"),
  ...historyPermissions,
};

export const dutyErrors = {
  ...historyErrors,
  ...defineErrors("duty", {
    notByHand: { status: 409, params: ["job"] },
    gameDecides: { status: 409, params: ["job"] },
    notMember: { status: 403, params: ["job"] },
    alreadyOn: { status: 409, params: ["job"] },
    noWork: { status: 409, params: ["job"] },
    notOn: { status: 409 },
    otherJob: { status: 403, params: ["job"] },
    stale: { status: 409 },
  }),
};

export const dutyKeptMs = days(365);

const character = Type.Integer({ minimum: 1, description: "The character's ID" });

/** Somebody who is on duty; `deleted` means that this has ended. */
export const DutyPerson = Type.Object({
  id: character,
  version: Version,
  deleted: Type.Boolean(),
  name: Type.String(),
  job: JobBadge,
  since: Instant,
  by: OneOf(["game", "hand"], { description: "`hand`: entered in the browser" }),
  state: OneOf(dutyStates),
  seenAt: Instant,
});
export type DutyPerson = Static<typeof DutyPerson>;

const examplePerson: DutyPerson = {
  id: 12,
  version: 4,
  deleted: false,
  name: "Mara Lind",
  job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" },
  since: 1_790_000_000_000,
  by: "game",
  state: "on",
  seenAt: 1_790_000_600_000,
};

/** Most people of one answer: more are never on duty at once in one city. */
export const mostOnDuty = 2000;

/** Own job first, then the others by label; in each those of the highest grade first. */
export const listDuty = defineOperation({
  id: "duty.list",
  method: "GET",
  path: "/api/duty",
  summary: "Who is on duty in your job, and in those that you may see",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object({ job: Type.Optional(Type.String({ maxLength: 50 })) }) },
  output: Type.Object({ items: Type.Array(DutyPerson, { maxItems: mostOnDuty }) }),
  errors: [dutyErrors.notVisible],
  example: { query: { job: "police" }, output: { items: [examplePerson] } },
});

export const OwnDuty = Type.Object({
  duty: Nullable(DutyPerson),
  jobs: Type.Array(
    Type.Object({
      job: Type.String(),
      label: Type.String(),
      mayBegin: Type.Boolean(),
      reason: Nullable(OneOf(["off", "game"], { description: "Why duty does not begin by hand" })),
    }),
    { description: "The jobs of the character, without those that are no work" },
  ),
  mayEnd: Type.Boolean({ description: "By hand; otherwise the game decides" }),
});
export type OwnDuty = Static<typeof OwnDuty>;

const exampleOwn: OwnDuty = {
  duty: examplePerson,
  jobs: [{ job: "police", label: "Police", mayBegin: false, reason: "game" }],
  mayEnd: false,
};

export const getOwnDuty = defineOperation({
  id: "duty.own",
  method: "GET",
  path: "/api/duty/own",
  summary: "Your duty, and whether you may go on and off duty here",
  access: access.character(),
  rate: "read",
  input: {},
  output: OwnDuty,
  example: { output: exampleOwn },
});

export const beginDuty = defineOperation({
  id: "duty.begin",
  method: "POST",
  path: "/api/duty/own/begin",
  summary: "Go on duty",
  access: access.character(),
  rate: "write",
  input: { body: Type.Object({ job: Type.String({ maxLength: 50 }) }) },
  output: OwnDuty,
  errors: [dutyErrors.notByHand, dutyErrors.gameDecides, dutyErrors.notMember, dutyErrors.noWork, dutyErrors.alreadyOn],
  example: { body: { job: "police" }, output: exampleOwn },
});

export const endDuty = defineOperation({
  id: "duty.end",
  method: "POST",
  path: "/api/duty/own/end",
  summary: "Go off duty",
  access: access.character(),
  rate: "write",
  input: {},
  output: OwnDuty,
  errors: [dutyErrors.gameDecides, dutyErrors.notOn],
  example: { output: { ...exampleOwn, duty: null } },
});

export const DutyRules = Type.Object({
  job: Type.String(),
  version: Type.Integer({ minimum: 0, description: "0 while the rules were never changed" }),
  byHand: OneOf(byHandModes),
  gameSince: Nullable(Instant),
});
export type DutyRules = Static<typeof DutyRules>;

const exampleRules: DutyRules = { job: "police", version: 1, byHand: "untilSource", gameSince: null };
const jobParams = Type.Object({ job: Type.String({ maxLength: 50 }) });

export const getDutyRules = defineOperation({
  id: "duty.rules",
  method: "GET",
  path: "/api/duty/jobs/:job/rules",
  summary: "Whether members of a job go on duty by hand",
  access: access.permission(dutyPermissions.manage),
  rate: "read",
  input: { params: jobParams },
  output: DutyRules,
  errors: [dutyErrors.otherJob],
  example: { params: { job: "police" }, output: exampleRules },
});

export const putDutyRules = defineOperation({
  id: "duty.putRules",
  method: "PUT",
  path: "/api/duty/jobs/:job/rules",
  summary: "Decide whether members of a job go on duty by hand",
  access: access.permission(dutyPermissions.manage),
  rate: "write",
  input: {
    params: jobParams,
    body: Type.Object({ version: Type.Integer({ minimum: 0 }), byHand: OneOf(byHandModes) }),
  },
  output: DutyRules,
  errors: [dutyErrors.otherJob, dutyErrors.stale],
  example: { params: { job: "police" }, body: { version: 0, byHand: "on" }, output: exampleRules },
});

/** People went on or off duty, or their state changed. */
export const dutyChanged = defineEvent({
  id: "duty.changed",
  version: 1,
  payload: Type.Object({
    items: Type.Array(DutyPerson),
    /** Of `items`, those who were on duty in another job, as they were there, ended: for those who see only that one. */
    left: Type.Optional(Type.Array(DutyPerson)),
  }),
});

/** A job decided about duty by hand, or a game server began to report its duty. */
export const dutyRulesChanged = defineEvent({
  id: "duty.rulesChanged",
  version: 1,
  payload: Type.Object({ job: Type.String() }),
});

/** Duties that ended, as intervals: the start is included, the end is not. */
export const dutyEnded = defineEvent({
  id: "duty.ended",
  version: 1,
  payload: Type.Object({
    items: Type.Array(
      Type.Object({
        periodId: Type.Integer(),
        citizenId: character,
        job: Type.String(),
        grade: Type.Integer(),
        from: Instant,
        to: Instant,
        ending: OneOf(dutyEndings),
        estimated: Type.Boolean(),
      }),
    ),
  }),
});

/** Duties that were reported after they had ended: somebody has to confirm them. */
export const dutyProposed = defineEvent({
  id: "duty.proposed",
  version: 1,
  payload: Type.Object({ periodIds: Type.Array(Type.Integer()) }),
});

export const dutyTopic = defineTopic({
  name: "duty",
  kind: "event",
  access: access.character(),
  message: Type.Object({ items: Type.Array(DutyPerson) }),
  carries: { answers: [listDuty] },
  example: { items: [examplePerson] },
});

/** Changes of one's own duty. */
export const ownDutyTopic = defineTopic({
  name: "duty/:character",
  kind: "event",
  access: access.character(),
  message: Type.Object({ character }),
  invalidates: { answers: [getOwnDuty] },
  example: { character: 12 },
});

/** Whether people go on duty by hand in a job may have changed; any of a character's jobs may be that one. */
export const dutyRulesTopic = defineTopic({
  name: "dutyRules",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: { answers: [getOwnDuty, getDutyRules] },
  example: { job: "police" },
});

/** A duty may have to end: the grace of who dropped, or the longest time by hand, is over. */
export const endDueDuty = defineWorkerTask({
  id: "duty.endDue",
  payload: Type.Object({ citizenId: Type.Integer() }),
  lane: "prompt",
});

/** A source may have fallen silent, or have been silent for so long that its duties end. */
export const checkSource = defineWorkerTask({
  id: "duty.checkSource",
  payload: Type.Object({ source: Type.String() }),
  lane: "prompt",
});

export const dutyContract = {
  operations: [listDuty, getOwnDuty, beginDuty, endDuty, getDutyRules, putDutyRules, dutyStatistics, syncDuty],
  events: [dutyChanged, dutyEnded, dutyProposed, dutyRulesChanged],
  topics: [dutyTopic, ownDutyTopic, dutyRulesTopic],
  actions: ["duty.gameReports"],
  tasks: [endDueDuty, checkSource],
  sync: [defineSyncKind({ kind: "duty", manifest: false, key: "key", operations: [syncDuty] })],
  errors: dutyErrors,
  permissions: Object.values(dutyPermissions),
};
