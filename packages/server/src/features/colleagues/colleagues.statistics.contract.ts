import { Type } from "typebox";
import { access, defineOperation, defineTopic, Nullable } from "#core/contract/index.ts";
import { colleaguesPermissions } from "./colleagues.base.contract.ts";

/** Whole months, the present one is the last. */
export const statisticsMonths = 12;

/** Most hires and leavers of one answer; with more, the earliest months are unknown. */
export const mostMoves = 20_000;

/** Days after which it is asked whether a recruit is still there. */
export const retentionDays = [30, 60, 90] as const;

const count = Type.Integer({ minimum: 0 });
const share = Nullable(Type.Object({ hired: count, stayed: count }));

/** Counts from the histories; what nobody knows is null, which is not the same as nobody. */
export const getJobStatistics = defineOperation({
  id: "colleagues.statistics",
  method: "GET",
  path: "/api/colleagues/statistics",
  summary: "How many people your job has and had, who came and left by month, and how many recruits stayed",
  access: access.permission(colleaguesPermissions.statistics),
  rate: "search",
  input: {},
  output: Type.Object({
    people: count,
    /** Null for viewers who do not see who is absent. */
    onLeave: Nullable(count),
    months: Type.Array(
      Type.Object({
        month: Type.String({ pattern: "^\\d{4}-\\d{2}$" }),
        /** At the end of the month, or now. */
        people: Nullable(count),
        hired: Nullable(count),
        left: Nullable(count),
        /**
         * Of those hired in the month whose 30, 60 or 90 days are over: how many had not left by then. Null where these
         * days are not over for anybody.
         */
        retention: Type.Object({ days30: share, days60: share, days90: share }),
      }),
    ),
  }),
  example: {
    output: {
      people: 24,
      onLeave: 2,
      months: [
        {
          month: "2026-09",
          people: 23,
          hired: 4,
          left: 1,
          retention: { days30: { hired: 4, stayed: 3 }, days60: { hired: 4, stayed: 3 }, days90: null },
        },
      ],
    },
  },
});

/** People came into the own job, left it, or are absent. Neither duty nor labels, which change often, are a part of it. */
export const statisticsTopic = defineTopic({
  name: "colleagueStatistics",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: { answers: [getJobStatistics] },
  example: { job: "police" },
});
