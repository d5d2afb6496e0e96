import { Type, type Static } from "typebox";
import { Day, defineErrors, definePermission, Instant, Nullable, OneOf, Version } from "#core/contract/index.ts";
import { dutyEndings } from "#features/duty/duty.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";
import { correctionMachine, entryMachine } from "./timeclock.machine.ts";

export const timeclockPermissions = {
  view: definePermission("timeclock.view", { whose: { type: "rank" } }),
  approve: definePermission("timeclock.approve"),
  targets: definePermission("timeclock.targets"),
  /** The sums of everybody in the job, and nothing else about them. */
  close: definePermission("timeclock.close"),
  /** With `timeclock.view`, or with `timeclock.close` for pay periods. */
  export: definePermission("timeclock.export"),
};

export const timeclockErrors = defineErrors("timeclock", {
  notFound: { status: 404 },
  lastBeforeFirst: { status: 409, params: ["first", "last"] },
  tooManyDays: { status: 409, params: ["most"] },
  endBeforeStart: { status: 409 },
  future: { status: 409 },
  tooOld: { status: 409, params: ["day"] },
  noFrom: { status: 409 },
  noTo: { status: 409 },
  neverTime: { status: 409, params: ["day", "time", "zone"] },
  twiceTime: { status: 409, params: ["day", "time", "zone"] },
  overlaps: { status: 409, params: ["id"] },
  overlapsElsewhere: { status: 409 },
  running: { status: 409 },
  pending: { status: 409 },
  tooMany: { status: 409, params: ["most", "day"] },
  notCounted: { status: 409 },
  unchanged: { status: 409 },
  notEmployed: { status: 409 },
  notEmployedThen: { status: 409 },
  decided: { status: 409 },
  stale: { status: 409 },
  periodNotFound: { status: 404 },
  periodRunning: { status: 409, params: ["day"] },
  periodClosed: { status: 409 },
});

/** Limits of what people write; columns and pages have the same. */
export const timeclockLimits = { reason: 255 } as const;

/** An entry is corrected at most so many days after it began. */
export const correctedDays = 30;
/** So many corrections and missing entries a person asks for on a day, those that were taken back among them: each one notifies superiors. */
export const mostRequests = 10;
/** An end that the game reports later than this is a proposal. Milliseconds. */
export const lateAfterMs = 10 * 60_000;
/** The longest range of one answer, in days. */
export const mostDays = 366;
/** The longest range with sums by day; a longer one has them by month. */
export const mostPlottedDays = 62;
/** The longest range with the days of each person. */
export const mostShownDays = 31;
export const mostPeople = 500;
export const mostHours = 168;

export const id = Type.Integer({ minimum: 1 });

const seconds = Type.Integer({ minimum: 0, description: "Whole seconds of counted entries" });

export const Correction = Type.Object({
  id,
  version: Version,
  state: OneOf(correctionMachine.states),
  /** Other times, what the game reported late, or an entry of which no duty was known. */
  kind: OneOf(["change", "late", "missing"]),
  oldFrom: Instant,
  oldTo: Instant,
  from: Instant,
  to: Instant,
  /** Null for what the game reported late. */
  reason: Nullable(Type.String()),
  requestedAt: Instant,
  decision: Nullable(Type.Object({ at: Instant, by: Nullable(Type.String()), reason: Nullable(Type.String()) })),
  may: Type.Array(OneOf(["cancel"])),
});
export type Correction = Static<typeof Correction>;

export const Entry = Type.Object({
  id,
  version: Version,
  citizenId: id,
  /** With the grade at its beginning. */
  job: JobBadge,
  from: Instant,
  /** The first instant after it. */
  to: Instant,
  seconds: Type.Integer({ minimum: 0 }),
  by: OneOf(["game", "hand"]),
  ending: OneOf(dutyEndings),
  /** The end is the last sign of life. */
  estimated: Type.Boolean(),
  /** The person asked for it; no duty was known. */
  asked: Type.Boolean(),
  state: OneOf(entryMachine.states),
  /** The first one first. */
  corrections: Type.Array(Correction),
  may: Type.Array(OneOf(["correct"])),
});
export type Entry = Static<typeof Entry>;

export const DaySum = Type.Object({ day: Day, seconds });
export type DaySum = Static<typeof DaySum>;
export const MonthSum = Type.Object({ month: Type.String({ pattern: "^\\d{4}-\\d{2}$" }), seconds });

export const Target = Type.Object({
  grade: Type.Integer({ minimum: 0 }),
  hours: Type.Integer({ minimum: 1, maximum: mostHours, description: "In a week" }),
});
export type Target = Static<typeof Target>;

export const Targets = Type.Object({
  version: Type.Integer({ minimum: 0, description: "0 while none was ever set" }),
  targets: Type.Array(Target, { maxItems: 100 }),
});
export type Targets = Static<typeof Targets>;

export const exampleCorrection: Correction = {
  id: 5,
  version: 1,
  state: "requested",
  kind: "change",
  oldFrom: 1_795_000_000_000,
  oldTo: 1_795_007_200_000,
  from: 1_795_000_000_000,
  to: 1_795_010_800_000,
  reason: "The game server crashed, and I stayed an hour longer",
  requestedAt: 1_795_020_000_000,
  decision: null,
  may: ["cancel"],
};

export const exampleEntry: Entry = {
  id: 91,
  version: 1,
  citizenId: 12,
  job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" },
  from: 1_795_000_000_000,
  to: 1_795_007_200_000,
  seconds: 7200,
  by: "game",
  ending: "silence",
  estimated: true,
  asked: false,
  state: "counted",
  corrections: [exampleCorrection],
  may: [],
};

export const exampleMissing: Entry = {
  ...exampleEntry,
  id: 92,
  by: "hand",
  ending: "off",
  estimated: false,
  asked: true,
  state: "proposed",
  corrections: [
    {
      ...exampleCorrection,
      ...{ id: 6, kind: "missing", oldTo: 1_795_007_200_000, to: 1_795_007_200_000 },
      reason: "I worked while the game server did not report duty",
    },
  ],
};
