import { Type, type Static } from "typebox";
import { access, Day, defineOperation, Nullable } from "#core/contract/index.ts";
import { jobgroupsErrors } from "#features/jobgroups/jobgroups.contract.ts";
import { id, timeclockErrors, timeclockPermissions } from "./timeclock.base.contract.ts";

/** Whose hours of those that the viewer sees: of a grade, and of a group of the job. */
export const teamFilter = {
  grade: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  group: Type.Optional(id),
};

/** Most entries of a job that one load reads; beyond them, the latest days count. */
export const mostLoadEntries = 12_000;

export const LoadFilter = Type.Object({ firstDay: Day, lastDay: Day, ...teamFilter });
export type LoadFilter = Static<typeof LoadFilter>;

/** The kind of exports (`exports.request`) with the hours of the week as CSV. */
export const loadExport = "timeclock.load";
export const mostLoadRows = 7 * 24;

const count = (description: string) => Type.Number({ minimum: 0, description });

/** An hour of a weekday, over all weeks of the range. */
export const LoadCell = Type.Object({
  people: Nullable(count("How many worked on average, of the hours that are known. Null: none is known")),
  seconds: Type.Integer({ minimum: 0, description: "What all of them worked in the hours that are known" }),
  hours: count("Hours that are known; the one that a clock set back repeats is two"),
  unknown: count("Hours of which a quarter or more is not known: no game server reported, or nothing was recorded yet"),
});
export type LoadCell = Static<typeof LoadCell>;

export const TeamLoad = Type.Object({
  zone: Type.String({ description: "IANA time zone of the hours" }),
  cells: Type.Array(Type.Array(LoadCell, { minItems: 24, maxItems: 24 }), {
    minItems: 7,
    maxItems: 7,
    description: "Seven rows of 24, Monday first. Hours to come are in none of them",
  }),
  firstDay: Day,
  complete: Type.Boolean({
    description: "False when there were too many entries, and `firstDay` is later than the one asked for",
  }),
});
export type TeamLoad = Static<typeof TeamLoad>;

export const exampleLoad: TeamLoad = {
  zone: "Europe/Berlin",
  cells: Array.from({ length: 7 }, () =>
    Array.from({ length: 24 }, (_none, hour) => {
      const people = hour < 5 ? null : hour / 4;
      return { people, seconds: (people ?? 0) * 3600, hours: hour < 5 ? 0 : 1, unknown: hour < 5 ? 1 : 0 };
    }),
  ),
  firstDay: "2026-11-16",
  complete: true,
};

export const getLoad = defineOperation({
  id: "timeclock.load",
  method: "GET",
  path: "/api/timeclock/load",
  summary: "How many of the colleagues whom your permission covers worked in each hour of the week",
  access: access.permission(timeclockPermissions.view),
  rate: "search",
  input: { query: LoadFilter },
  output: TeamLoad,
  errors: [timeclockErrors.lastBeforeFirst, timeclockErrors.tooManyDays, jobgroupsErrors.notFound],
  example: { query: { firstDay: "2026-11-16", lastDay: "2026-11-22" }, output: exampleLoad },
});
