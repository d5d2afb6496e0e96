import { Type } from "typebox";
import { access, defineErrors, defineOperation, definePermission, Instant } from "#core/contract/index.ts";

export const historyPermissions = {
  /** The periods of those jobs of which one sees who is on duty. */
  export: definePermission("duty.export"),
};

export const historyErrors = defineErrors("duty", { otherJob: { status: 403, params: ["job"] } });

const job = Type.String({ minLength: 1, maxLength: 50 });

/** Most periods of one statistic; beyond them, the newest count. */
export const mostCounted = 100_000;

/** Of duties that have ended and wait for nobody's word, by the days and hours of the installation's zone. */
export const dutyStatistics = defineOperation({
  id: "duty.statistics",
  method: "GET",
  path: "/api/duty/statistics",
  summary: "How long people of a job were on duty on each of the last 30 days, and how many in each hour of the day",
  access: access.character(),
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
      }),
      { description: "The oldest first; the last one is the present day, up to now. One may have 23 or 25 hours" },
    ),
    hours: Type.Array(Type.Object({ hour: Type.Integer({ minimum: 0, maximum: 23 }), people: Type.Number({ minimum: 0 }) }), {
      description: "People on duty on average in this hour of those days",
    }),
    complete: Type.Boolean({ description: "False when there were too many duties, and older ones are left out" }),
  }),
  errors: [historyErrors.otherJob],
  example: {
    query: { job: "police" },
    output: {
      job: "police",
      zone: "Europe/Berlin",
      days: [{ day: "2026-11-25", from: 1_795_561_200_000, to: 1_795_647_600_000, seconds: 61_200 }],
      hours: [{ hour: 20, people: 4.25 }],
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
