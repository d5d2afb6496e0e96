import { Type } from "typebox";
import { access, Day, defineOperation, Instant, Nullable, OneOf } from "#core/contract/index.ts";
import { authErrors } from "./auth.base.contract.ts";

/** Why a sign-in is refused, as it stands in the audit log (`info.why`). */
export const refusalReasons = ["wrong password", "unknown user name", "throttled", "account disabled", "wrong code"] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** The actions whose refusals are counted: password, and second factor. */
export const refusedActions = ["auth.login", "auth.loginFactor"] as const;

const count = Type.Integer({ minimum: 0 });

const weekday = (...busy: readonly (readonly [hour: number, count: number])[]) =>
  Array.from({ length: 24 }, (_, hour) => busy.find(([at]) => at === hour)?.[1] ?? 0);

/** For those who see the whole audit log, from which the numbers are taken. */
export const signInRefusals = defineOperation({
  id: "auth.refusals",
  method: "GET",
  path: "/api/auth/refusals",
  summary: "Refused sign-ins by day, and by weekday and hour",
  access: access.configAdmin(),
  rate: "read",
  input: {
    query: Type.Object({
      /** How many calendar days, up to today. */
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 30 })),
      /** In which days and hours are read. */
      zone: Type.String({ minLength: 1, maxLength: 64, description: "IANA time zone, as Europe/Berlin" }),
    }),
  },
  output: Type.Object({
    reasons: Type.Array(OneOf(refusalReasons)),
    /** Every day, in order; `counts` in the order of the reasons. */
    days: Type.Array(Type.Object({ day: Day, counts: Type.Array(count) })),
    /** Seven weekdays from Monday, each with its 24 hours. */
    hours: Type.Array(Type.Array(count)),
    /** From where on everything is counted, when there were too many entries for all days; else null. */
    since: Nullable(Instant),
  }),
  errors: [authErrors.zoneUnknown],
  example: {
    query: { days: 3, zone: "Europe/Berlin" },
    output: {
      reasons: [...refusalReasons],
      days: [
        { day: "2026-09-19", counts: [0, 0, 0, 0, 0] },
        { day: "2026-09-20", counts: [4, 2, 9, 0, 1] },
        { day: "2026-09-21", counts: [3, 1, 0, 1, 0] },
      ],
      hours: [weekday([19, 5]), weekday(), weekday(), weekday(), weekday(), weekday(), weekday([20, 12], [21, 4])],
      since: null,
    },
  },
});
