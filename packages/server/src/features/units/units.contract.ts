import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineEvent,
  defineOperation,
  defineTopic,
  extend,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Version,
} from "#core/contract/index.ts";
import {
  exampleContent,
  exampleUnit,
  HandBackReason,
  id,
  memberStates,
  mostUnits,
  Unit,
  UnitContent,
  unitsEmptied,
  unitsErrors,
  unitsPermissions,
  workChoices,
} from "./units.base.contract.ts";
import { getUnitAccess, putUnitAccess } from "./units.access.contract.ts";
import { baseKinds, unitMachine } from "./units.machine.ts";
import { alone, dissolveUnit, longBreak, longBusy, remindAlone, remindLong } from "./units.reminders.contract.ts";
import {
  createStatus,
  listStatuses,
  orderStatuses,
  putRules,
  putStatus,
  removeStatus,
  restoreStatus,
} from "./units.statuses.contract.ts";

export * from "./units.access.contract.ts";
export * from "./units.base.contract.ts";
export * from "./units.reminders.contract.ts";
export * from "./units.statuses.contract.ts";
export { baseKinds, type BaseKind } from "./units.machine.ts";

/** What happened to units is kept for this time. Milliseconds. */
export const activityKeptMs = days(14);

/** A temporary unit that nobody is in is dissolved after this time. Milliseconds. */
export const emptyMs = 15 * 60_000;

/** A long status is named again after this time. Milliseconds. */
export const longAgainMs = 15 * 60_000;

const { manage, assign, temporary } = unitsPermissions;
const byId = Type.Object({ id });
/** What speaks against the content of a unit. */
const contentErrors = [unitsErrors.nameTaken, unitsErrors.crewRange, unitsErrors.postalUnknown];
const role = Nullable(Type.String({ minLength: 1, maxLength: 24 }));

/** Somebody on duty in the viewer's job who is in no unit. */
export const FreePerson = Type.Object({
  id,
  name: Type.String(),
  grade: Type.Integer(),
  state: OneOf(memberStates),
  since: Instant,
  mayMove: Type.Boolean(),
});
export type FreePerson = Static<typeof FreePerson>;

/** Those of the own job first, in their order. */
export const listUnits = defineOperation({
  id: "units.list",
  method: "GET",
  path: "/api/units",
  summary: "Units of your job and of those that you may see, with crews, and who of your job is on duty without a unit",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({
    /** Removed ones only for those who may restore them. */
    items: Type.Array(Unit),
    free: Type.Array(FreePerson),
    /** The viewer is on duty in the own job. */
    onDuty: Type.Boolean(),
  }),
  example: { output: { items: [exampleUnit], free: [], onDuty: true } },
});

export const createUnit = defineOperation({
  id: "units.create",
  method: "POST",
  path: "/api/units",
  summary: "Create a unit of your job",
  access: access.permission(manage),
  rate: "write",
  input: { body: UnitContent },
  output: Unit,
  errors: [unitsErrors.unitsFull, unitsErrors.deletedFull, ...contentErrors],
  example: { body: exampleContent, output: exampleUnit },
});

export const createTemporary = defineOperation({
  id: "units.createTemporary",
  method: "POST",
  path: "/api/units/temporary",
  summary: "Create a temporary unit of your job and join it; it is dissolved once it was empty for 15 minutes",
  access: access.permission(temporary),
  rate: "write",
  input: { body: Type.Object({ name: UnitContent.properties.name }) },
  output: Unit,
  errors: [unitsErrors.nameTaken, unitsErrors.unitsFull, unitsErrors.temporaryFull, unitsErrors.notOnDuty],
  example: { body: { name: "Roadblock" }, output: { ...exampleUnit, name: "Roadblock", temporary: true } },
});

export const putUnit = defineOperation({
  id: "units.put",
  method: "PUT",
  path: "/api/units/:id",
  summary: "Change a unit",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId, body: extend(UnitContent, { version: Version }) },
  output: Unit,
  errors: [unitsErrors.notFound, unitsErrors.otherJob, ...contentErrors, unitsErrors.stale],
  example: { params: { id: 7 }, body: { ...exampleContent, version: 1 }, output: exampleUnit },
});

export const removeUnit = defineOperation({
  id: "units.remove",
  method: "DELETE",
  path: "/api/units/:id",
  summary: "Remove a unit; its crew leaves it, and it can be restored",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [unitsErrors.notFound, unitsErrors.otherJob],
  example: { params: { id: 7 } },
});

export const restoreUnit = defineOperation({
  id: "units.restore",
  method: "POST",
  path: "/api/units/all/:id/restore",
  summary: "Restore a removed unit, without its crew",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId },
  output: Unit,
  errors: [unitsErrors.notFound, unitsErrors.otherJob, unitsErrors.nameTaken, unitsErrors.unitsFull],
  example: { params: { id: 7 }, output: { ...exampleUnit, crew: [] } },
});

export const orderUnits = defineOperation({
  id: "units.order",
  method: "PUT",
  path: "/api/units",
  summary: "Put the units of your job into an order; those that are not named follow",
  access: access.permission(manage),
  rate: "write",
  input: { body: Type.Object({ ids: Type.Array(id, { minItems: 1, maxItems: mostUnits }) }) },
  output: null,
  errors: [unitsErrors.notFound],
  example: { body: { ids: [7, 8] } },
});

export const joinUnit = defineOperation({
  id: "units.join",
  method: "POST",
  path: "/api/units/all/:id/join",
  summary: "Join a unit, and leave the one before",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ role }) },
  output: Unit,
  errors: [
    unitsErrors.notFound,
    unitsErrors.otherJob,
    unitsErrors.notOnDuty,
    unitsErrors.leadersOnly,
    unitsErrors.notAdmitted,
    unitsErrors.full,
    unitsErrors.roleUnknown,
  ],
  example: { params: { id: 7 }, body: { role: "driver" }, output: exampleUnit },
});

export const leaveUnit = defineOperation({
  id: "units.leave",
  method: "POST",
  path: "/api/units/own/leave",
  summary: "Leave your unit",
  access: access.character(),
  rate: "write",
  input: {},
  output: null,
  errors: [unitsErrors.noUnit, unitsErrors.leadersOnly],
  example: {},
});

export const moveMember = defineOperation({
  id: "units.move",
  method: "POST",
  path: "/api/units/members/:id",
  summary: "Put somebody of your job into a unit, or into none",
  access: access.permission(assign),
  rate: "write",
  input: {
    /** Of the citizen. */
    params: byId,
    body: Type.Object({ unitId: Nullable(id), role: Type.Optional(role) }),
  },
  output: null,
  errors: [
    unitsErrors.notFound,
    unitsErrors.otherJob,
    unitsErrors.memberNotFound,
    unitsErrors.notAssigned,
    unitsErrors.personNotOnDuty,
    unitsErrors.full,
    unitsErrors.roleUnknown,
  ],
  example: { params: { id: 12 }, body: { unitId: 7 } },
});

export const setStatus = defineOperation({
  id: "units.setStatus",
  method: "POST",
  path: "/api/units/all/:id/status",
  summary: "Set the status of your unit, or with the permission of any unit of your job",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      base: OneOf(baseKinds),
      /** Of a custom status with that base kind. */
      statusId: Type.Optional(Nullable(id)),
      /** What becomes of the open work at a break or while unavailable; without open work it says nothing. */
      work: Type.Optional(OneOf(workChoices)),
      /** Of handing it back. */
      reason: Type.Optional(HandBackReason),
    }),
  },
  output: Unit,
  errors: [
    unitsErrors.notFound,
    unitsErrors.statusNotFound,
    unitsErrors.otherJob,
    unitsErrors.notMember,
    unitsErrors.notOnDuty,
    unitsErrors.staticUnit,
    unitsErrors.underMinimum,
    unitsErrors.openWork,
    unitsErrors.workCentral,
    unitsErrors.workKept,
  ],
  example: { params: { id: 7 }, body: { base: "break" }, output: exampleUnit },
});

export const happenings = ["created", "changed", "joined", "left", "status", "removed", "restored"] as const;
export type Happening = (typeof happenings)[number];

/** Why something happened by itself, or `byHand`. */
export const reasons = [
  "byHand",
  "dutyEnded",
  "otherUnit",
  "unitRemoved",
  "empty",
  "lastLeft",
  "underMinimum",
  "minimumReached",
  "madeStatic",
  "workBegan",
  "workEnded",
] as const;
export type Reason = (typeof reasons)[number];

const person = Nullable(Type.Object({ id, name: Type.String() }));

export const UnitActivity = Type.Object({
  id,
  at: Instant,
  what: OneOf(happenings),
  why: OneOf(reasons),
  /** Who joined or left. */
  citizen: person,
  /** Who did it; null where it happened by itself. */
  by: person,
  status: Nullable(Type.Object({ base: OneOf(baseKinds), name: Nullable(Type.String()) })),
  role: Nullable(Type.String()),
});
export type UnitActivity = Static<typeof UnitActivity>;

export const listActivity = defineOperation({
  id: "units.activity",
  method: "GET",
  path: "/api/units/all/:id/activity",
  summary: "What happened to a unit in the last 14 days, the newest first",
  access: access.character(),
  rate: "read",
  input: { params: byId, query: Type.Object({ ...pageQuery }) },
  output: PageOf(UnitActivity),
  errors: [unitsErrors.notFound],
  example: {
    params: { id: 7 },
    query: {},
    output: {
      items: [
        {
          id: 90,
          at: 1_795_000_000_000,
          what: "status",
          why: "byHand",
          citizen: null,
          by: { id: 12, name: "Mara Lind" },
          status: { base: "break", name: null },
          role: null,
        },
      ],
      next: null,
      total: 1,
      totalCapped: false,
    },
  },
});

/** Units, crews, statuses or rules changed in these jobs. */
export const unitsChanged = defineEvent({
  id: "units.changed",
  version: 1,
  payload: Type.Object({ jobs: Type.Array(Type.String()) }),
});

/** Something changed about the units of a job, or about the duty of its people. */
export const unitsTopic = defineTopic({
  name: "units",
  kind: "event",
  access: access.character(),
  message: Type.Object({ jobs: Type.Array(Type.String()) }),
  invalidates: { answers: [listUnits, listStatuses, listActivity] },
  example: { jobs: ["police"] },
});

export const unitsContract = {
  operations: [
    listUnits,
    createUnit,
    createTemporary,
    putUnit,
    removeUnit,
    restoreUnit,
    orderUnits,
    getUnitAccess,
    putUnitAccess,
    joinUnit,
    leaveUnit,
    moveMember,
    setStatus,
    listActivity,
    listStatuses,
    createStatus,
    putStatus,
    removeStatus,
    restoreStatus,
    orderStatuses,
    putRules,
  ],
  events: [unitsChanged, unitsEmptied],
  topics: [unitsTopic],
  tasks: [dissolveUnit, remindLong, remindAlone],
  notifications: [longBusy, longBreak, alone],
  machines: [unitMachine],
  objects: ["units.unit", "units.status"],
  actions: ["units.dissolved"],
  errors: unitsErrors,
  permissions: Object.values(unitsPermissions),
};
