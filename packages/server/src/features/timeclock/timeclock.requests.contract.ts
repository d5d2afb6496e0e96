import { Type, type Static } from "typebox";
import { access, days, defineApproval, defineOperation, inWords, Nullable, OneOf, Version } from "#core/contract/index.ts";
import { Entry, exampleEntry, exampleMissing, id, timeclockErrors, timeclockLimits } from "./timeclock.base.contract.ts";

const byId = Type.Object({ id });

const LocalTime = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2})?$",
  description: "As the clock shows it in the zone of the days",
  ...inWords("must be a day and a time, such as 2026-11-18T20:30"),
});
const which = Type.Optional(
  Nullable(OneOf(["earlier", "later"], { description: "Of a time that occurs twice, because the clock was set back" })),
);

const asked = {
  from: LocalTime,
  fromWhich: which,
  to: LocalTime,
  toWhich: which,
  reason: Type.String({ minLength: 1, maxLength: timeclockLimits.reason }),
};

export const CorrectionRequest = Type.Object({ version: Version, ...asked });
export type CorrectionRequest = Static<typeof CorrectionRequest>;

const timesErrors = [
  timeclockErrors.endBeforeStart,
  timeclockErrors.future,
  timeclockErrors.tooOld,
  timeclockErrors.noFrom,
  timeclockErrors.noTo,
  timeclockErrors.neverTime,
  timeclockErrors.twiceTime,
  timeclockErrors.overlaps,
  timeclockErrors.overlapsElsewhere,
  timeclockErrors.running,
  timeclockErrors.tooMany,
];

export const requestCorrection = defineOperation({
  id: "timeclock.correct",
  method: "POST",
  path: "/api/timeclock/entries/:id/corrections",
  summary: "Ask for another beginning or end of an entry of yours; somebody of a higher grade decides",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: CorrectionRequest },
  output: Entry,
  errors: [
    timeclockErrors.notFound,
    ...timesErrors,
    timeclockErrors.notEmployedThen,
    timeclockErrors.pending,
    timeclockErrors.notCounted,
    timeclockErrors.unchanged,
    timeclockErrors.stale,
  ],
  example: {
    params: { id: 91 },
    body: {
      version: 1,
      from: "2026-11-18T20:30",
      to: "2026-11-18T23:30:00",
      reason: "The game server crashed, and I stayed an hour longer",
    },
    output: exampleEntry,
  },
});

export const MissingRequest = Type.Object(asked);
export type MissingRequest = Static<typeof MissingRequest>;

export const requestMissing = defineOperation({
  id: "timeclock.add",
  method: "POST",
  path: "/api/timeclock/entries",
  summary: "Ask for an entry of yours that is missing in your job; somebody of a higher grade decides",
  access: access.character(),
  rate: "write",
  input: { body: MissingRequest },
  output: Entry,
  errors: [...timesErrors, timeclockErrors.notEmployed, timeclockErrors.notEmployedThen],
  example: {
    body: {
      from: "2026-11-18T20:30",
      to: "2026-11-18T22:30:00",
      reason: "I worked while the game server did not report duty",
    },
    output: exampleMissing,
  },
});

export const cancelCorrection = defineOperation({
  id: "timeclock.cancel",
  method: "POST",
  path: "/api/timeclock/corrections/:id/cancel",
  summary: "Take back a correction that nobody has decided yet",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version }) },
  output: Entry,
  errors: [timeclockErrors.notFound, timeclockErrors.decided, timeclockErrors.stale],
  example: { params: { id: 5 }, body: { version: 1 }, output: { ...exampleEntry, corrections: [], may: ["correct"] } },
});

/** Days and clock times of an interval, so that each reader gets the days as their language writes them. */
const timeParams = (which: "old" | "new") => [`${which}FromDay`, `${which}From`, `${which}ToDay`, `${which}To`];

/** Anybody of a higher grade with the right decides, or a job admin. */
export const correctionApproval = defineApproval({
  id: "timeclock.correction",
  params: ["name", "reason", ...timeParams("old"), ...timeParams("new")],
  remindAfterMs: days(1),
  expiresAfterMs: days(30),
  // People cancel corrections of their own (`timeclock.cancel`), and not what the game reported late.
  withdrawable: false,
});

/** The same people decide; `timeclock.cancel` takes it back. */
export const missingApproval = defineApproval({
  id: "timeclock.missing",
  params: ["name", "reason", ...timeParams("new")],
  remindAfterMs: days(1),
  expiresAfterMs: days(30),
  withdrawable: false,
});
