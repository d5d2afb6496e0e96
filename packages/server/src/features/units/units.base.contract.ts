import { Type, type Static } from "typebox";
import {
  defineErrors,
  defineEvent,
  definePermission,
  extend,
  inWords,
  Instant,
  Nullable,
  OneOf,
  Version,
} from "#core/contract/index.ts";
import { IconName } from "#features/icons/icons.contract.ts";
import { baseKinds } from "./units.machine.ts";

export const unitsPermissions = {
  /** Units of other jobs; those of one's own job everybody sees. */
  view: definePermission("units.view", { jobs: { type: "jobs" } }),
  manage: definePermission("units.manage"),
  temporary: definePermission("units.temporary"),
  assign: definePermission("units.assign", { whose: { type: "rank" } }),
  status: definePermission("units.status"),
  export: definePermission("units.export"),
};

export const unitsErrors = defineErrors("units", {
  notFound: { status: 404 },
  statusNotFound: { status: 404 },
  memberNotFound: { status: 404 },
  otherJob: { status: 403, params: ["job"] },
  notAssigned: { status: 403, params: ["name", "permission"] },
  notMember: { status: 403, params: ["name", "permission"] },
  notOnDuty: { status: 409 },
  personNotOnDuty: { status: 409, params: ["name"] },
  leadersOnly: { status: 409 },
  notAdmitted: { status: 403, params: ["name"] },
  full: { status: 409, params: ["name", "most"] },
  roleUnknown: { status: 409, params: ["name"] },
  noUnit: { status: 409 },
  staticUnit: { status: 409, params: ["name"] },
  underMinimum: { status: 409, params: ["name", "crew", "least"] },
  openWork: { status: 409, params: ["name"] },
  /** The job has central command: dispatchers alone take calls from a unit. */
  workCentral: { status: 409, params: ["name"] },
  /** The viewer does not dispatch what the unit works. */
  workKept: { status: 403, params: ["name", "permission"] },
  crewRange: { status: 409, params: ["least", "most"] },
  postalUnknown: { status: 409, params: ["code"] },
  nameTaken: { status: 409, params: ["name"] },
  unitsFull: { status: 409, params: ["most"] },
  deletedFull: { status: 409, params: ["most"] },
  temporaryFull: { status: 409, params: ["most"] },
  statusTaken: { status: 409, params: ["name"] },
  statusesFull: { status: 409, params: ["most"] },
  statusesDeletedFull: { status: 409, params: ["most"] },
  stale: { status: 409 },
});

/** The kind of exports (`exports.request`) with the units as CSV. */
export const unitsExport = "units.list";

/** Temporary units that somebody has made and that are still there. */
export const mostTemporary = 3;
export const mostUnits = 250;
export const mostCrew = 20;

/** With open work, a break and `unavailable` need one of these: the unit gives its calls back, or keeps them. */
export const workChoices = ["handBack", "stay"] as const;
export type WorkChoice = (typeof workChoices)[number];
export const HandBackReason = Type.String({ minLength: 1, maxLength: 255 });

export const id = Type.Integer({ minimum: 1 });
export const Colour = Type.String({ pattern: "^#[0-9a-f]{6}$", ...inWords("must be a colour, such as #2563eb") });
const Tag = Type.String({ minLength: 1, maxLength: 24 });
const Crew = Type.Integer({ minimum: 1, maximum: mostCrew });

export const UnitContent = Type.Object({
  name: Type.String({ minLength: 3, maxLength: 24 }),
  callsign: Nullable(Type.String({ minLength: 1, maxLength: 12 })),
  initials: Type.String({ minLength: 2, maxLength: 4 }),
  colour: Colour,
  icon: Nullable(IconName),
  homePostal: Nullable(Type.String({ minLength: 1, maxLength: 48 })),
  /** What the unit can do, as the job calls it. */
  tags: Type.Array(Tag, { maxItems: 10 }),
  /** What somebody in it can be, as the job calls it. */
  roles: Type.Array(Tag, { maxItems: 8 }),
  minCrew: Crew,
  maxCrew: Crew,
  /** It does not move, so it is never available. */
  isStatic: Type.Boolean(),
  radio: Nullable(Type.String({ minLength: 1, maxLength: 12 })),
});
export type UnitContent = Static<typeof UnitContent>;

export const memberStates = ["on", "missing", "uncertain", "off"] as const;

export const Member = Type.Object({
  /** Of the citizen. */
  id,
  name: Type.String(),
  /** In the unit's job; null for somebody who is not on duty in it any more. */
  grade: Nullable(Type.Integer()),
  role: Nullable(Type.String()),
  state: OneOf(memberStates),
  joinedAt: Instant,
  /** The viewer may put this person into another unit. */
  mayMove: Type.Boolean(),
});
export type Member = Static<typeof Member>;

export const UnitStatus = Type.Object({
  base: OneOf(baseKinds),
  /** Of a custom status; null for a base kind, as name, colour and icon then are. */
  id: Nullable(id),
  name: Nullable(Type.String()),
  colour: Nullable(Type.String()),
  icon: Nullable(Type.String()),
  since: Instant,
});
export type UnitStatus = Static<typeof UnitStatus>;

export const Unit = extend(UnitContent, {
  id,
  version: Version,
  deleted: Type.Boolean(),
  job: Type.Object({ name: Type.String(), label: Type.String() }),
  temporary: Type.Boolean(),
  /** Only those of its access list may join. */
  restricted: Type.Boolean(),
  status: UnitStatus,
  crew: Type.Array(Member),
  /** Nobody of the crew is there: it gets no offers. */
  grey: Type.Boolean(),
  hasWork: Type.Boolean(),
  /** The viewer is in it. */
  mine: Type.Boolean(),
  /** What the viewer can do with it now. */
  may: Type.Array(OneOf(["join", "leave", "status", "manage"])),
});
export type Unit = Static<typeof Unit>;

export const exampleContent: UnitContent = {
  name: "Adam 1",
  callsign: "A1",
  initials: "A1",
  colour: "#2563eb",
  icon: "tabler:car",
  homePostal: null,
  tags: ["patrol"],
  roles: ["driver"],
  minCrew: 1,
  maxCrew: 4,
  isStatic: false,
  radio: "1.2",
};

export const exampleUnit: Unit = {
  ...exampleContent,
  id: 7,
  version: 1,
  deleted: false,
  job: { name: "police", label: "Police" },
  temporary: false,
  restricted: false,
  status: { base: "available", id: null, name: null, colour: null, icon: null, since: 1_795_000_000_000 },
  crew: [{ id: 12, name: "Mara Lind", grade: 2, role: "driver", state: "on", joinedAt: 1_795_000_000_000, mayMove: false }],
  grey: false,
  hasWork: false,
  mine: false,
  may: ["join"],
};

/** Nobody is left in a unit; it may have been removed. */
export const unitsEmptied = defineEvent({ id: "units.emptied", version: 1, payload: Type.Object({ id }) });
