import { Type } from "typebox";
import {
  access,
  days,
  defineEvent,
  defineNotification,
  defineOperation,
  defineTopic,
  defineWorkerTask,
  Instant,
  OneOf,
} from "#core/contract/index.ts";
import { Call, callsErrors, callsPermissions, getCall } from "#features/calls/calls.contract.ts";
import {
  Assignment,
  assignmentsErrors,
  exampleAssignment,
  exampleOwnCall,
  id,
  mostUnits,
  OwnWork,
  Reason,
  seen,
  usualRules,
  WorkRules,
} from "./assignments.base.contract.ts";
import { assignmentMachine, workingStates } from "./assignments.machine.ts";

export * from "./assignments.base.contract.ts";
export { type WorkingState, workingStates } from "./assignments.machine.ts";

/** Ended assignments are kept for this time. Milliseconds. */
export const assignmentsKeptMs = days(365);

const byId = Type.Object({ id });

/** Commands are refused with one of these. */
const ofCall = [callsErrors.notFound, callsErrors.completed, callsErrors.cancelled, callsErrors.merged, callsErrors.tooOld];
const refusals = [assignmentsErrors.notFound, ...ofCall, assignmentsErrors.stale];
const byMember = [assignmentsErrors.notMember, assignmentsErrors.notOnDuty];

/** Each is one that people do to a unit on a call, with the version that they saw. */
const command = <Body extends Parameters<typeof Type.Object>[0]>(body: Body) => ({
  access: access.character(),
  rate: "write" as const,
  input: { params: byId, body: Type.Object({ ...seen, ...body }) },
  output: Assignment,
});

export const offerUnits = defineOperation({
  id: "assignments.offer",
  method: "POST",
  path: "/api/calls/:id/units",
  summary: "Ask units for an open call, or assign them without asking",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      unitIds: Type.Array(id, { minItems: 1, maxItems: mostUnits, uniqueItems: true }),
      /** They work it from now on, without an answer. */
      assign: Type.Optional(Type.Boolean()),
    }),
  },
  output: Call,
  errors: [
    ...ofCall,
    assignmentsErrors.notDispatcher,
    assignmentsErrors.unitNotFound,
    assignmentsErrors.unitEmpty,
    assignmentsErrors.unitMissing,
    assignmentsErrors.already,
    assignmentsErrors.full,
    assignmentsErrors.tooOften,
  ],
  example: { params: { id: 12 }, body: { unitIds: [7] }, output: exampleOwnCall },
});

export const takeCall = defineOperation({
  id: "assignments.take",
  method: "POST",
  path: "/api/calls/:id/take",
  summary: "Take an open call with your unit",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: Call,
  errors: [
    ...ofCall,
    ...byMember,
    assignmentsErrors.noUnit,
    assignmentsErrors.callsHidden,
    assignmentsErrors.otherJob,
    assignmentsErrors.central,
    assignmentsErrors.already,
    assignmentsErrors.full,
    assignmentsErrors.tooOften,
  ],
  example: { params: { id: 12 }, output: exampleOwnCall },
});

export const answerOffer = defineOperation({
  id: "assignments.answer",
  method: "POST",
  path: "/api/assignments/:id/answer",
  summary: "Accept or decline a call that your unit is asked for",
  ...command({ accept: Type.Boolean() }),
  errors: [...refusals, ...byMember, assignmentsErrors.notOffered],
  example: { params: { id: 31 }, body: { version: 1, accept: true }, output: exampleAssignment },
});

export const withdrawOffer = defineOperation({
  id: "assignments.withdraw",
  method: "POST",
  path: "/api/assignments/:id/withdraw",
  summary: "Withdraw an offer that nobody has answered yet",
  ...command({}),
  errors: [...refusals, assignmentsErrors.notDispatcher, assignmentsErrors.notOffered],
  example: {
    params: { id: 31 },
    body: { version: 1 },
    output: { ...exampleAssignment, state: "withdrawn", accepted: null },
  },
});

/** Back to an earlier state is a correction. */
export const setProgress = defineOperation({
  id: "assignments.progress",
  method: "POST",
  path: "/api/assignments/:id/progress",
  summary: "Say how far a unit is with a call, and whether it needs help",
  ...command({ state: OneOf(workingStates), needsHelp: Type.Optional(Type.Boolean()) }),
  errors: [...refusals, ...byMember, assignmentsErrors.notWorking],
  example: { params: { id: 31 }, body: { version: 1, state: "enRoute" }, output: { ...exampleAssignment, state: "enRoute" } },
});

export const finishWork = defineOperation({
  id: "assignments.finish",
  method: "POST",
  path: "/api/assignments/:id/finish",
  summary: "Say that a unit is done with a call; the last one completes the call where the rules of your job say so",
  ...command({}),
  errors: [...refusals, ...byMember, assignmentsErrors.notWorking],
  example: { params: { id: 31 }, body: { version: 2 }, output: { ...exampleAssignment, version: 3, state: "done" } },
});

export const handBack = defineOperation({
  id: "assignments.handBack",
  method: "POST",
  path: "/api/assignments/:id/hand-back",
  summary: "Hand a call back that a unit works; with central command dispatchers alone",
  ...command({ reason: Reason }),
  errors: [...refusals, ...byMember, assignmentsErrors.notWorking, assignmentsErrors.central],
  example: {
    params: { id: 31 },
    body: { version: 2, reason: "Tow truck is blocked" },
    output: { ...exampleAssignment, version: 3, state: "left" },
  },
});

export const getOwnWork = defineOperation({
  id: "assignments.own",
  method: "GET",
  path: "/api/dispatch/work",
  summary: "The calls that your unit works or is asked for",
  access: access.character(),
  rate: "read",
  input: {},
  output: OwnWork,
  example: {
    output: {
      unit: { id: 7, name: "Adam 1", callsign: "A1", colour: "#2563eb", job: "police" },
      onDuty: true,
      mode: "manual",
      calls: [exampleOwnCall],
    },
  },
});

export const getWorkRules = defineOperation({
  id: "assignments.rules",
  method: "GET",
  path: "/api/dispatch/work/rules",
  summary: "How units of your job get calls",
  access: access.permission(callsPermissions.view),
  rate: "read",
  input: {},
  output: WorkRules,
  example: { output: usualRules },
});

export const putWorkRules = defineOperation({
  id: "assignments.putRules",
  method: "PUT",
  path: "/api/dispatch/work/rules",
  summary: "Set how units of your job get calls",
  access: access.permission(callsPermissions.setup),
  rate: "write",
  input: { body: WorkRules },
  output: WorkRules,
  errors: [assignmentsErrors.stale],
  example: { body: usualRules, output: { ...usualRules, version: 1 } },
});

/** What units of these jobs work, or their rules for it. */
export const assignmentsChanged = defineEvent({
  id: "assignments.changed",
  version: 1,
  payload: Type.Object({ jobs: Type.Array(Type.String()) }),
});

/** Something changed about the work of units of the own job. */
export const assignmentsTopic = defineTopic({
  name: "assignments",
  kind: "event",
  access: access.character(),
  message: Type.Object({ changed: Type.Boolean() }),
  invalidates: { answers: [getOwnWork, getWorkRules, getCall] },
  example: { changed: true },
});

/** An offer may have found no answer until this instant. */
export const expireOffer = defineWorkerTask({
  id: "assignments.expire",
  payload: Type.Object({ id, at: Instant }),
  lane: "prompt",
});

const notification = (name: string, params: readonly string[]) =>
  defineNotification({ id: `assignments.${name}`, tone: "warning", params, channels: ["bell", "toast", "sound"] });

export const unitOffered = notification("offered", ["unit", "id", "seconds"]);
export const unitAssigned = notification("assigned", ["unit", "id"]);

export const assignmentsContract = {
  operations: [
    offerUnits,
    takeCall,
    answerOffer,
    withdrawOffer,
    setProgress,
    finishWork,
    handBack,
    getOwnWork,
    getWorkRules,
    putWorkRules,
  ],
  events: [assignmentsChanged],
  topics: [assignmentsTopic],
  tasks: [expireOffer],
  notifications: [unitOffered, unitAssigned],
  machines: [assignmentMachine],
  objects: ["assignments.assignment"],
  actions: ["assignments.expire", "assignments.lost"],
  errors: assignmentsErrors,
};
