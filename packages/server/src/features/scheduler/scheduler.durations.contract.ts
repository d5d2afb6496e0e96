import { Type } from "typebox";
import { access, defineOperation, Instant, Nullable } from "#core/contract/index.ts";
import { schedulerErrors } from "./scheduler.base.contract.ts";

const count = Type.Integer({ minimum: 0 });

/** The runs that began in one hour. */
const DurationPoint = Type.Object({
  /** When the first of them began. */
  at: Instant,
  runs: count,
  /** How many failed, or lost their worker. */
  failed: count,
  /** Milliseconds; null when the worker died, so that nobody knows. */
  meanMs: Nullable(count),
  longestMs: Nullable(count),
});

export const scheduleDurations = defineOperation({
  id: "scheduler.durations",
  method: "GET",
  path: "/api/scheduler/:job/durations",
  summary: "How long the runs of a schedule took in the last 30 days",
  access: access.configAdmin(),
  rate: "read",
  input: { params: Type.Object({ job: Type.String({ minLength: 1, maxLength: 80 }) }) },
  output: Type.Object({
    from: Instant,
    to: Instant,
    /** In order of time; one for each hour in which a run began. */
    points: Type.Array(DurationPoint),
  }),
  errors: [schedulerErrors.jobUnknown],
  example: {
    params: { job: "auth.cleanUp" },
    output: {
      from: 1_787_408_000_000,
      to: 1_790_000_000_000,
      points: [
        { at: 1_789_813_600_000, runs: 1, failed: 0, meanMs: 240, longestMs: 240 },
        { at: 1_789_900_000_000, runs: 2, failed: 1, meanMs: 120, longestMs: 180 },
      ],
    },
  },
});
