import { Type, type Static } from "typebox";
import {
  anyTextOf,
  Day,
  defineErrors,
  definePermission,
  extend,
  Instant,
  lineOf,
  Nullable,
  OneOf,
  Version,
} from "#core/contract/index.ts";
import { IconName } from "#features/icons/icons.contract.ts";
import { JobBadge } from "#features/jobs/jobs.contract.ts";
import { absenceMachine } from "./absences.machine.ts";

export const absencesPermissions = {
  list: definePermission("absences.list"),
  view: definePermission("absences.view", { whose: { type: "rank" } }),
  approve: definePermission("absences.approve"),
  /** Never about higher grades. */
  enter: definePermission("absences.enter", { whose: { type: "rank" } }),
  kinds: definePermission("absences.kinds"),
  /** With `absences.list`, and `absences.view` about kinds and reasons. */
  export: definePermission("absences.export"),
};

export const absencesErrors = defineErrors("absences", {
  notFound: { status: 404 },
  kindNotFound: { status: 404 },
  personUnknown: { status: 404 },
  notYours: { status: 403, params: ["permission", "name", "job"] },
  noJob: { status: 409 },
  lastBeforeFirst: { status: 409, params: ["first", "last"] },
  tooEarly: { status: 409, params: ["day"] },
  tooLate: { status: 409, params: ["day"] },
  tooLong: { status: 409, params: ["most"] },
  tooMany: { status: 409, params: ["most"] },
  overlaps: { status: 409, params: ["id", "first", "last"] },
  substituteUnknown: { status: 409 },
  over: { status: 409 },
  decided: { status: 409 },
  nameTaken: { status: 409, params: ["name"] },
  kindsFull: { status: 409, params: ["most"] },
  deletedFull: { status: 409, params: ["most"] },
  stale: { status: 409 },
});

/** Limits of what people write; columns and pages have the same. */
export const absencesLimits = { reason: 255, kind: 48 } as const;

/** What a kind may allow. */
export const kindLimits = { daysBack: 31, daysAhead: 186, mostDays: 186 } as const;

/** What the kind that comes with Rollcall allows, which a job has as long as it has none of its own. */
export const shippedKind = { needsApproval: false, daysBack: 7, daysAhead: 93, mostDays: 31 } as const;

export const mostKinds = 30;

/** Most absences of one person in a job that are asked for or entered within a day, cancelled ones too. */
export const mostOfDay = 30;

export const id = Type.Integer({ minimum: 1 });
export const reason = anyTextOf(absencesLimits.reason);

export const KindContent = Type.Object({
  name: lineOf(absencesLimits.kind),
  colour: Type.String({ pattern: "^#[0-9a-f]{6}$", "x-problem": "must be a colour, such as #2563eb" }),
  icon: Nullable(IconName),
  needsApproval: Type.Boolean(),
  /** The first day is at most so many days ago. */
  daysBack: Type.Integer({ minimum: 0, maximum: kindLimits.daysBack }),
  /** The last day is at most in so many days. */
  daysAhead: Type.Integer({ minimum: 0, maximum: kindLimits.daysAhead }),
  mostDays: Type.Integer({ minimum: 1, maximum: kindLimits.mostDays }),
});
export type KindContent = Static<typeof KindContent>;

export const AbsenceKind = extend(KindContent, { id, version: Version, deleted: Type.Boolean() });
export type AbsenceKind = Static<typeof AbsenceKind>;

/** A kind as absences show it; null for the one that comes with Rollcall. */
export const ShownKind = Nullable(Type.Object({ id, name: Type.String(), colour: Type.String(), icon: Nullable(Type.String()) }));

const Person = Type.Object({ id, name: Type.String() });

export const Absence = Type.Object({
  id,
  version: Version,
  citizen: extend(Person, { job: JobBadge }),
  /** Both included, in the zone of `loc`. */
  firstDay: Day,
  lastDay: Day,
  state: OneOf(absenceMachine.states),
  substitute: Nullable(Person),
  createdAt: Instant,
  /** These three are absent when the viewer may not see them of this person. */
  kind: Type.Optional(ShownKind),
  reason: Type.Optional(Nullable(Type.String())),
  decision: Type.Optional(Nullable(Type.Object({ at: Instant, by: Nullable(Type.String()), reason: Nullable(Type.String()) }))),
  /** What the viewer can do with it now. */
  may: Type.Array(OneOf(["cancel", "decide"])),
});
export type Absence = Static<typeof Absence>;

export const exampleKindContent: KindContent = {
  name: "Holiday",
  colour: "#0f766e",
  icon: "tabler:beach",
  needsApproval: true,
  daysBack: 7,
  daysAhead: 93,
  mostDays: 31,
};
export const exampleKind: AbsenceKind = { ...exampleKindContent, id: 3, version: 1, deleted: false };

export const exampleAbsence: Absence = {
  id: 41,
  version: 1,
  citizen: { id: 12, name: "Mara Lind", job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" } },
  firstDay: "2026-12-01",
  lastDay: "2026-12-05",
  state: "requested",
  substitute: { id: 15, name: "Bo Okafor" },
  createdAt: 1_795_000_000_000,
  kind: { id: 3, name: "Holiday", colour: "#0f766e", icon: "tabler:beach" },
  reason: "Visiting family",
  decision: null,
  may: ["cancel"],
};
