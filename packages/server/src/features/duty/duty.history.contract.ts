import { Type } from "typebox";
import { access, defineErrors, defineOperation, definePermission, Instant, Nullable } from "#core/contract/index.ts";

export const historyPermissions = {
  /** The periods of those jobs of which one sees who is on duty. */
  export: definePermission("duty.export"),
  /** How long people were on duty, in those same jobs. */
  statistics: definePermission("duty.statistics"),
};

export const historyErrors = defineErrors("duty", {
  /** Who is on duty in the job, and was, is not shown to the viewer. */
  notVisible: { status: 403, params: ["job"] },
});

const job = Type.String({ minLength: 1, maxLength: 50 });

/** Most periods of one statistic; beyond them, the newest count. */
export const mostCounted = 100_000;

/** Most people of one statistic: those with the most time. */
export const mostCountedPeople = 1000;

/**
 * Of duties that run or have ended and wait for nobody's word, by the days and hours of the installation's zone. What is
 * not known is kept apart from what was none: the time before the first duty of all, and outages of the game server.
 */
export const dutyStatistics = defineOperation({
  id: "duty.statistics",
  method: "GET",
  path: "/api/duty/statistics",
  summary: "How long people of a job were on duty in the last 30 days, and how many in each hour of the week",
  access: access.permission(historyPermissions.statistics),
  rate: "search",
  input: { query: Type.Object({ job: Type.Optional(job) }) },
  output: Type.Object({
    job: Type.String(),
    zone: Type.String({ description: "IANA time zone of the days and hours" }),
    days: Type.Array(
      Type.Object({
        day: Type.String({ description: "`YYYY-MM-DD`" }),
        from: Instant,
        to: Instant,
        seconds: Type.Integer({ minimum: 0, description: "On duty, of all people together" }),
        knownSeconds: Type.Integer({
          minimum: 0,
          description: "Of how much of the day it is known who was on duty, in whole quarters of an hour",
        }),
      }),
      { description: "The oldest first; the last one is the present day, up to now. One may have 23 or 25 hours" },
    ),
    knownDays: Type.Integer({ minimum: 0, description: "Days of which something is known" }),
    hours: Type.Array(Type.Array(Nullable(Type.Number({ minimum: 0 }))), {
      description:
        "People on duty on average in this hour, of the time that is known: seven rows of 24, Monday first. Null: unknown",
    }),
    people: Type.Array(
      Type.Object({
        id: Type.Integer({ minimum: 1, description: "The character's ID" }),
        name: Type.String(),
        seconds: Type.Integer({ minimum: 0 }),
      }),
      { maxItems: mostCountedPeople, description: "Who was on duty in these days, the longest first" },
    ),
    complete: Type.Boolean({ description: "False when there were too many duties, and older ones are left out" }),
  }),
  errors: [historyErrors.notVisible],
  example: {
    query: { job: "police" },
    output: {
      job: "police",
      zone: "Europe/Berlin",
      days: [{ day: "2026-11-25", from: 1_795_561_200_000, to: 1_795_647_600_000, seconds: 61_200, knownSeconds: 86_400 }],
      knownDays: 1,
      hours: Array.from({ length: 7 }, () => Array.from({ length: 24 }, (_none, hour) => (hour < 5 ? null : hour / 4))),
      people: [{ id: 12, name: "Mara Lind", seconds: 61_200 }],
      complete: true,
    },
  },
});

/** Kind of the export of periods of duty. */
export const dutyExport = "duty.periods";

/** Most periods of one export. */
export const mostExported = 250_000;

export const DutyPeriodsFilter = Type.Object({
  job,
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
});
