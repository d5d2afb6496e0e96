import { Type, type Static } from "typebox";
import {
  access,
  Day,
  defineNotification,
  defineOperation,
  defineWorkerTask,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Version,
} from "#core/contract/index.ts";
import { id, timeclockErrors, timeclockPermissions } from "./timeclock.base.contract.ts";
import { periodMachine } from "./timeclock.machine.ts";

export const periodLengths = ["week", "twoWeeks", "month"] as const;
export type PeriodLength = (typeof periodLengths)[number];

/** The kind of exports (`exports.request`) with the hours of a closed period. */
export const periodExport = "timeclock.period";
export const mostPeriodRows = 50_000;

const seconds = Type.Integer({ minimum: 0 });
const byId = Type.Object({ id });
const close = access.permission(timeclockPermissions.close);

export const PayRules = Type.Object({
  version: Type.Integer({ minimum: 0, description: "0 while they were never set" }),
  length: Nullable(OneOf(periodLengths, { description: "null: the job has no pay periods" })),
});
export type PayRules = Static<typeof PayRules>;

export const Period = Type.Object({
  id,
  version: Version,
  firstDay: Day,
  lastDay: Day,
  /** The first instant after it. */
  until: Instant,
  state: OneOf(periodMachine.states),
  /** Of those who worked, and null until it is closed. */
  people: Nullable(Type.Integer({ minimum: 0 })),
  seconds: Nullable(seconds),
  closedAt: Nullable(Instant),
  closedBy: Nullable(Type.String()),
  /** What was counted or corrected after it was closed. */
  later: Type.Integer({ minimum: 0 }),
  may: Type.Array(OneOf(["close"])),
});
export type Period = Static<typeof Period>;

export const PeriodDetail = Type.Object({
  period: Period,
  /** What closing would freeze, and what may still change it; null once somebody closes it. */
  preview: Nullable(
    Type.Object({
      people: Type.Integer({ minimum: 0 }),
      seconds,
      openCorrections: Type.Integer({ minimum: 0 }),
      running: Type.Integer({ minimum: 0, description: "On duty since before its end: counted later" }),
      estimated: Type.Integer({ minimum: 0, description: "Entries whose end is the last sign of life" }),
    }),
  ),
  carried: Nullable(
    Type.Integer({ description: "What the sums have of periods that were closed before, of everybody; null until it is closed" }),
  ),
});
export type PeriodDetail = Static<typeof PeriodDetail>;

/** What somebody worked in a closed period; it never changes. */
export const PeriodSum = Type.Object({
  id,
  name: Type.String(),
  seconds,
  laterSeconds: Type.Integer({
    description:
      "Of periods that were closed before: what was counted or corrected since. Never less than what was worked, with a minus: the next period takes the rest",
  }),
  left: Type.Boolean({ description: "The person does not have the job any more" }),
});
export type PeriodSum = Static<typeof PeriodSum>;

export const LaterChange = Type.Object({
  id,
  citizenId: id,
  name: Type.String(),
  entryId: Nullable(id),
  seconds: Type.Integer({ description: "More, or fewer when negative" }),
  why: OneOf(["corrected", "counted", "rest"], {
    description: "rest: more was to be taken than the person worked in this period; it has no entry",
  }),
  at: Instant,
  /** The first day of the period that pays it; null while none does yet. */
  carried: Nullable(Day),
});
export type LaterChange = Static<typeof LaterChange>;

const examplePeriod: Period = {
  id: 7,
  version: 1,
  firstDay: "2026-11-16",
  lastDay: "2026-11-22",
  until: 1_795_388_400_000,
  state: "open",
  people: null,
  seconds: null,
  closedAt: null,
  closedBy: null,
  later: 0,
  may: ["close"],
};
const exampleClosed: Period = {
  ...examplePeriod,
  version: 2,
  state: "closed",
  people: 12,
  seconds: 302_400,
  closedAt: 1_795_400_000_000,
  closedBy: "Mara Lind",
  may: [],
};
const exampleRules: PayRules = { version: 1, length: "week" };

export const getPayRules = defineOperation({
  id: "timeclock.payRules",
  method: "GET",
  path: "/api/timeclock/pay-rules",
  summary: "How long the pay periods of your job are",
  access: close,
  rate: "read",
  input: {},
  output: PayRules,
  example: { output: exampleRules },
});

export const putPayRules = defineOperation({
  id: "timeclock.putPayRules",
  method: "PUT",
  path: "/api/timeclock/pay-rules",
  summary: "Decide how long the pay periods of your job are, from the end of the present one",
  access: close,
  rate: "write",
  input: { body: PayRules },
  output: PayRules,
  errors: [timeclockErrors.stale],
  example: { body: { ...exampleRules, version: 0 }, output: exampleRules },
});

export const listPeriods = defineOperation({
  id: "timeclock.periods",
  method: "GET",
  path: "/api/timeclock/periods",
  summary: "Pay periods of your job, the latest first",
  access: close,
  rate: "read",
  input: { query: Type.Object(pageQuery) },
  output: PageOf(Period),
  example: { query: {}, output: { items: [examplePeriod], next: null, total: 1, totalCapped: false } },
});

export const getPeriod = defineOperation({
  id: "timeclock.period",
  method: "GET",
  path: "/api/timeclock/periods/:id",
  summary: "A pay period of your job, with what closing it would freeze",
  access: close,
  rate: "search",
  input: { params: byId },
  output: PeriodDetail,
  errors: [timeclockErrors.periodNotFound],
  example: {
    params: { id: 7 },
    output: {
      period: examplePeriod,
      preview: { people: 12, seconds: 302_400, openCorrections: 1, running: 0, estimated: 2 },
      carried: null,
    },
  },
});

export const closePeriod = defineOperation({
  id: "timeclock.closePeriod",
  method: "POST",
  path: "/api/timeclock/periods/:id/closing",
  summary: "Close a pay period that has ended: its sums stay as they are now",
  access: close,
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version }) },
  output: Period,
  errors: [timeclockErrors.periodNotFound, timeclockErrors.periodRunning, timeclockErrors.periodClosed, timeclockErrors.stale],
  example: { params: { id: 7 }, body: { version: 1 }, output: exampleClosed },
});

export const listPeriodSums = defineOperation({
  id: "timeclock.periodSums",
  method: "GET",
  path: "/api/timeclock/period-sums",
  summary: "What people worked in a closed pay period of your job",
  access: close,
  rate: "read",
  input: { query: Type.Object({ ...pageQuery, periodId: id }) },
  output: PageOf(PeriodSum),
  errors: [timeclockErrors.periodNotFound],
  example: {
    query: { periodId: 7 },
    output: {
      items: [{ id: 12, name: "Mara Lind", seconds: 25_200, laterSeconds: -600, left: false }],
      next: null,
      total: 1,
      totalCapped: false,
    },
  },
});

export const listLaterChanges = defineOperation({
  id: "timeclock.laterChanges",
  method: "GET",
  path: "/api/timeclock/later-changes",
  summary: "What was counted or corrected in a pay period of your job after it was closed, the latest first",
  access: close,
  rate: "read",
  input: { query: Type.Object({ ...pageQuery, periodId: id }) },
  output: PageOf(LaterChange),
  errors: [timeclockErrors.periodNotFound],
  example: {
    query: { periodId: 7 },
    output: {
      items: [
        {
          ...{ id: 3, citizenId: 12, name: "Mara Lind", entryId: 91, seconds: -600 },
          ...{ why: "corrected", at: 1_795_410_000_000, carried: null },
        },
      ],
      next: null,
      total: 1,
      totalCapped: false,
    },
  },
});

/** Freezes the next people of a period that is being closed. */
export const freezePeriod = defineWorkerTask({ id: "timeclock.freeze", payload: Type.Object({ id }), lane: "bulk" });

/** To those who can close a period, once it has ended. */
export const periodEnded = defineNotification({
  id: "timeclock.periodEnded",
  tone: "info",
  params: ["first", "last"],
  channels: ["bell", "toast"],
});

/** To a person of whom a closed period got another number of hours. */
export const periodTouched = defineNotification({
  id: "timeclock.periodTouched",
  tone: "info",
  params: ["first", "last"],
  channels: ["bell", "toast"],
});

export const periodOperations = [getPayRules, putPayRules, listPeriods, getPeriod, closePeriod, listPeriodSums, listLaterChanges];
