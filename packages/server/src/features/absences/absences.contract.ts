import { Type } from "typebox";
import {
  access,
  Day,
  days,
  defineApproval,
  defineEvent,
  defineNotification,
  defineOperation,
  defineTopic,
  defineWorkerTask,
  Instant,
  inWords,
  Nullable,
  PageOf,
  pageQuery,
  Version,
} from "#core/contract/index.ts";
import { approvalsErrors } from "#features/approvals/approvals.contract.ts";
import { Absence, absencesErrors, absencesPermissions, exampleAbsence, id, reason } from "./absences.base.contract.ts";
import { createKind, listKinds, orderKinds, putKind, putRules, removeKind, restoreKind } from "./absences.kinds.contract.ts";
import { absenceMachine } from "./absences.machine.ts";
import {
  absenceHappened,
  AbsenceRequest,
  cancelledForYou,
  enterAbsence,
  enteredForYou,
  getStatistics,
  listOf,
  refusedDays,
} from "./absences.others.contract.ts";

export * from "./absences.base.contract.ts";
export * from "./absences.kinds.contract.ts";
export * from "./absences.others.contract.ts";

/** Ended absences are kept for this time. Milliseconds. */
export const absencesKeptMs = days(365);

/** The kind of exports (`exports.request`) with the absences of a month as CSV. */
export const absencesExport = "absences.month";
export const mostExported = 20_000;
/** Most of those that wait for one person, and of people absent now, in one answer. */
export const mostWaiting = 200;
export const mostAbsent = 5000;

/** The last one has no day after it. */
const Month = Type.String({
  pattern: "^(?!9999-12|0000)\\d{4}-(0[1-9]|1[0-2])$",
  ...inWords("must be a month, such as 2026-12"),
});
export const MonthFilter = Type.Object({ month: Month });

const byId = Type.Object({ id });

export const listOwn = defineOperation({
  id: "absences.own",
  method: "GET",
  path: "/api/absences/own",
  summary: "Your absences in your job, the latest request first",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object({ ...pageQuery }) },
  output: PageOf(Absence),
  example: { query: {}, output: { items: [exampleAbsence], next: null, total: 1, totalCapped: false } },
});

export const listWaiting = defineOperation({
  id: "absences.waiting",
  method: "GET",
  path: "/api/absences/waiting",
  summary: "Absences that wait for your decision, the oldest request first",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({
    items: Type.Array(Absence),
    complete: Type.Boolean({
      description: `False when more than ${mostWaiting} wait: these are the ones that have waited for the longest`,
    }),
  }),
  example: { output: { items: [{ ...exampleAbsence, may: ["decide"] }], complete: true } },
});

/** Approved ones; requested ones of those whose kinds and reasons the viewer sees. */
export const listMonth = defineOperation({
  id: "absences.month",
  method: "GET",
  path: "/api/absences",
  summary: "Absences of your job in a month",
  access: access.permission(absencesPermissions.list),
  rate: "read",
  input: { query: Type.Object({ ...pageQuery, month: Month }) },
  output: PageOf(Absence),
  errors: [],
  example: {
    query: { month: "2026-12" },
    output: {
      items: [{ ...exampleAbsence, state: "approved", may: [] }],
      next: null,
      total: 1,
      totalCapped: false,
    },
  },
});

export const getCapacity = defineOperation({
  id: "absences.capacity",
  method: "GET",
  path: "/api/absences/capacity",
  summary: "How many of your job are absent on each day, and from how many on the form warns",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object({ firstDay: Day, lastDay: Day }) },
  output: Type.Object({
    /** Of the job. */
    people: Type.Integer({ minimum: 0 }),
    /** Null where the job wants no warning. */
    most: Nullable(Type.Integer({ minimum: 0 })),
    /** Without those on which nobody is absent. */
    days: Type.Array(Type.Object({ day: Day, absent: Type.Integer({ minimum: 1 }) })),
  }),
  example: {
    query: { firstDay: "2026-12-01", lastDay: "2026-12-05" },
    output: { people: 24, most: 7, days: [{ day: "2026-12-01", absent: 2 }] },
  },
});

/** Who is absent now or begins to be within a day, so that an open page needs no request at midnight. */
export const listAbsent = defineOperation({
  id: "absences.now",
  method: "GET",
  path: "/api/absences/now",
  summary: "Who of your job is absent, until when, and who substitutes",
  access: access.permission(absencesPermissions.list),
  rate: "read",
  input: {},
  output: Type.Object({
    items: Type.Array(
      Type.Object({
        /** Of the citizen. */
        id,
        from: Instant,
        until: Instant,
        /** The last one. */
        day: Day,
        substitute: Nullable(Type.Object({ id, name: Type.String() })),
      }),
    ),
  }),
  example: {
    output: {
      items: [
        {
          id: 12,
          from: 1_796_079_600_000,
          until: 1_796_511_600_000,
          day: "2026-12-05",
          substitute: { id: 15, name: "Bo Okafor" },
        },
      ],
    },
  },
});

export const requestAbsence = defineOperation({
  id: "absences.request",
  method: "POST",
  path: "/api/absences",
  summary: "Ask for an absence; it counts at once where its kind needs no approval",
  access: access.character(),
  rate: "write",
  input: { body: AbsenceRequest },
  output: Absence,
  errors: [...refusedDays],
  example: {
    body: { kindId: 3, firstDay: "2026-12-01", lastDay: "2026-12-05", reason: "Visiting family", substituteId: 15 },
    output: exampleAbsence,
  },
});

export const cancelAbsence = defineOperation({
  id: "absences.cancel",
  method: "POST",
  path: "/api/absences/own/:id/cancel",
  summary: "Cancel your absence, or one that you entered for a colleague, from today on; the days before stay",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version }) },
  output: Absence,
  errors: [absencesErrors.notFound, absencesErrors.notYours, absencesErrors.over, absencesErrors.stale],
  example: { params: { id: 41 }, body: { version: 1 }, output: { ...exampleAbsence, version: 2, state: "cancelled", may: [] } },
});

export const decideAbsence = defineOperation({
  id: "absences.decide",
  method: "POST",
  path: "/api/absences/waiting/:id/decision",
  summary: "Approve or decline an absence that waits for you",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      version: Version,
      approve: Type.Boolean(),
      /** Required to decline; the person reads it. */
      reason: Type.Optional(Nullable(reason)),
    }),
  },
  output: Absence,
  errors: [
    absencesErrors.notFound,
    absencesErrors.decided,
    absencesErrors.stale,
    approvalsErrors.ownRequest,
    approvalsErrors.notDecider,
  ],
  example: {
    params: { id: 41 },
    body: { version: 1, approve: true },
    output: {
      ...exampleAbsence,
      version: 2,
      state: "approved",
      decision: { at: 1_795_000_600_000, by: "Ida Holm", reason: null },
      may: [],
    },
  },
});

/** Absences, their kinds or rules changed in these jobs. Without who and what, which not every viewer may know. */
export const absencesChanged = defineEvent({
  id: "absences.changed",
  version: 1,
  payload: Type.Object({ jobs: Type.Array(Type.String()) }),
});

/** Something changed about the absences of the own job. */
export const absencesTopic = defineTopic({
  name: "absences",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: { answers: [listOwn, listWaiting, listMonth, getCapacity, listAbsent, listKinds, listOf, getStatistics] },
  example: { job: "police" },
});

/** The nearest higher grade with the right decides, after a day the next one too, and at last job admins. */
export const absenceApproval = defineApproval({
  id: "absences.absence",
  params: ["name", "kind", "first", "last", "reason"],
  remindAfterMs: days(1),
  /** Later than the furthest day that a kind allows. */
  expiresAfterMs: days(220),
});

/** How long those of one grade are the only ones who decide. */
export const escalateAfterMs = days(1);

export const escalateAbsence = defineWorkerTask({
  id: "absences.escalate",
  /** `grade`: the highest one that decides so far. */
  payload: Type.Object({ id, grade: Type.Integer() }),
  lane: "prompt",
});

const notification = (name: string, params: readonly string[]) =>
  defineNotification({ id: `absences.${name}`, tone: "info", params, channels: ["bell", "toast"] });

export const substituteNamed = notification("substituteNamed", ["name", "first", "last"]);
export const substituteFree = notification("substituteFree", ["name", "first", "last"]);

export const absencesContract = {
  operations: [
    listOwn,
    listWaiting,
    listMonth,
    getCapacity,
    listAbsent,
    requestAbsence,
    enterAbsence,
    listOf,
    getStatistics,
    cancelAbsence,
    decideAbsence,
    listKinds,
    createKind,
    putKind,
    removeKind,
    restoreKind,
    orderKinds,
    putRules,
  ],
  events: [absencesChanged, absenceHappened],
  topics: [absencesTopic],
  tasks: [escalateAbsence],
  approvals: [absenceApproval],
  notifications: [substituteNamed, substituteFree, enteredForYou, cancelledForYou],
  machines: [absenceMachine],
  objects: ["absences.absence", "absences.kind"],
  actions: ["absences.left"],
  errors: absencesErrors,
  permissions: Object.values(absencesPermissions),
};
