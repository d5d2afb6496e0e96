import { Type, type Static } from "typebox";
import {
  access,
  Day,
  defineEvent,
  defineNotification,
  defineOperation,
  extend,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
} from "#core/contract/index.ts";
import { Absence, absencesErrors, absencesPermissions, exampleAbsence, id, reason, ShownKind } from "./absences.base.contract.ts";

export const AbsenceRequest = Type.Object({
  /** Null for the kind that comes with Rollcall. */
  kindId: Nullable(id),
  firstDay: Day,
  lastDay: Day,
  reason: Type.Optional(Nullable(reason)),
  /** Of a citizen of the same job. */
  substituteId: Type.Optional(Nullable(id)),
});
export type AbsenceRequest = Static<typeof AbsenceRequest>;

/** What speaks against days, for the person and for those who enter them. */
export const refusedDays = [
  absencesErrors.noJob,
  absencesErrors.kindNotFound,
  absencesErrors.lastBeforeFirst,
  absencesErrors.tooEarly,
  absencesErrors.tooLate,
  absencesErrors.tooLong,
  absencesErrors.tooMany,
  absencesErrors.overlaps,
  absencesErrors.substituteUnknown,
] as const;

export const AbsenceEntry = extend(AbsenceRequest, { citizenId: id });
export type AbsenceEntry = Static<typeof AbsenceEntry>;

const { enter, list } = absencesPermissions;

/** It counts at once, whatever its kind asks for: who enters it could approve it as well. */
export const enterAbsence = defineOperation({
  id: "absences.enter",
  method: "POST",
  path: "/api/absences/entries",
  summary: "Enter the absence of a colleague, who gets a notification; never of a higher grade than your own",
  access: access.permission(enter),
  rate: "write",
  input: { body: AbsenceEntry },
  output: Absence,
  errors: [absencesErrors.personUnknown, absencesErrors.notYours, ...refusedDays],
  example: {
    body: { citizenId: 12, kindId: 3, firstDay: "2026-12-01", lastDay: "2026-12-05", reason: "Called by phone" },
    output: { ...exampleAbsence, state: "approved", substitute: null, reason: "Called by phone", may: ["cancel"] },
  },
});

/** Approved ones, and all of those whose kinds and reasons the viewer sees. */
export const listOf = defineOperation({
  id: "absences.of",
  method: "GET",
  path: "/api/absences/of",
  summary: "Absences of a colleague, the latest first",
  access: access.permission(list),
  rate: "read",
  input: { query: Type.Object({ ...pageQuery, citizenId: id }) },
  /** `enter`: whether the viewer may enter one. */
  output: extend(PageOf(Absence), { enter: Type.Boolean() }),
  errors: [absencesErrors.personUnknown],
  example: {
    query: { citizenId: 12 },
    output: {
      items: [{ ...exampleAbsence, state: "approved", may: [] }],
      next: null,
      total: 1,
      totalCapped: false,
      enter: true,
    },
  },
});

/** The longest time of one question for the statistics. Days. */
export const mostStatisticsDays = 366;

/** By kind only for viewers who see the kinds of everybody: small numbers would give them away. */
export const getStatistics = defineOperation({
  id: "absences.statistics",
  method: "GET",
  path: "/api/absences/statistics",
  summary: "How many of your job are or were absent on each day, and on how many days by kind",
  access: access.permission(list),
  rate: "read",
  input: { query: Type.Object({ firstDay: Day, lastDay: Day }) },
  output: Type.Object({
    /** Each day, also those on which nobody is absent. */
    days: Type.Array(Type.Object({ day: Day, absent: Type.Integer({ minimum: 0 }) })),
    /** Days of absence, the most first; left out without the right to see the kinds of everybody. */
    kinds: Type.Optional(Type.Array(Type.Object({ kind: ShownKind, days: Type.Integer({ minimum: 1 }) }))),
  }),
  errors: [absencesErrors.lastBeforeFirst],
  example: {
    query: { firstDay: "2026-12-01", lastDay: "2026-12-02" },
    output: {
      days: [
        { day: "2026-12-01", absent: 2 },
        { day: "2026-12-02", absent: 0 },
      ],
      kinds: [{ kind: exampleAbsence.kind ?? null, days: 2 }],
    },
  },
});

/**
 * An absence counts from now on, or ends sooner than it was to. The days are those of that moment, because a history
 * of it stays true when they change again. Without kind and reason, which not every reader of a history may know.
 */
export const absenceHappened = defineEvent({
  id: "absences.happened",
  version: 1,
  payload: Type.Object({
    id,
    citizenId: id,
    job: Type.String(),
    what: OneOf(["entered", "ended"]),
    firstDay: Day,
    lastDay: Day,
    /** Null where it ended by itself. */
    actorId: Nullable(id),
  }),
});

const notification = (name: string, params: readonly string[]) =>
  defineNotification({ id: `absences.${name}`, tone: "info", params, channels: ["bell", "toast"] });

export const enteredForYou = notification("enteredForYou", ["name", "first", "last"]);
export const cancelledForYou = notification("cancelledForYou", ["name", "first", "last"]);
