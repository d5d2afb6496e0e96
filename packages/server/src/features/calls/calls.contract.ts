import { Type, type Static } from "typebox";
import { access, days, defineEvent, defineOperation, defineTopic, Nullable, Version } from "#core/contract/index.ts";
import {
  Answer,
  Call,
  CallDetail,
  CallMessage,
  callsErrors,
  callsLimits,
  callsPermissions,
  archiveViews,
  callsViews,
  folded,
  id,
  JobName,
  mostLines,
  PostalCode,
  Priority,
  Reason,
  refusals,
  refusalsOfEdit,
} from "./calls.base.contract.ts";
import { exampleCall, exampleDetail } from "./calls.examples.contract.ts";
import { callMachine } from "./calls.machine.ts";
import {
  answerHandOver,
  handOverAsked,
  handOverCall,
  handOverDeclined,
  handOverOpen,
  handOverUnanswered,
  withdrawHandOver,
} from "./calls.handover.contract.ts";
import { linkCalls, splitCall, unlinkCalls } from "./calls.links.contract.ts";
import { getCall, listCalls, listOwnCalls, listPresent } from "./calls.list.contract.ts";
import { mergeCalls, undoMerge } from "./calls.merge.contract.ts";
import { dismissStorm, getStorm, listStormAlerts, listStorms, openStorm, stormTimers } from "./calls.storm.contract.ts";
import { syncCall, syncCloseCalls } from "./calls.sync.contract.ts";
import { archiveCall, expireCall, replanIdle, touchCall } from "./calls.tasks.contract.ts";
import {
  createType,
  listCallable,
  listTypes,
  orderTypes,
  putRules,
  putType,
  removeType,
  restoreType,
} from "./calls.types.contract.ts";

export * from "./calls.base.contract.ts";
export * from "./calls.examples.contract.ts";
export * from "./calls.handover.contract.ts";
export * from "./calls.links.contract.ts";
export * from "./calls.list.contract.ts";
export * from "./calls.merge.contract.ts";
export * from "./calls.ref.contract.ts";
export * from "./calls.storm.contract.ts";
export * from "./calls.sync.contract.ts";
export * from "./calls.tasks.contract.ts";
export * from "./calls.types.contract.ts";

/** Ended calls are kept for this time. Milliseconds. */
export const callsKeptMs = days(365);

const { create } = callsPermissions;
const byId = Type.Object({ id });
const version = { version: Version };

export const NewCall = Type.Object({
  /** Of the jobs that are called; null for none. */
  typeId: Nullable(id),
  /** Left out or empty, those of the type. */
  jobs: Type.Optional(Type.Array(JobName, { maxItems: callsLimits.jobs })),
  /** Without one, that of the type. */
  message: Type.Optional(Nullable(CallMessage)),
  priority: Type.Optional(Nullable(Priority)),
  postal: Type.Optional(Nullable(PostalCode)),
  phone: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: callsLimits.phone }))),
  anonymous: Type.Optional(Type.Boolean()),
  answers: Type.Optional(Type.Array(Answer, { maxItems: mostLines })),
});
export type NewCall = Static<typeof NewCall>;

const exampleNew: NewCall = { typeId: 3, jobs: [], message: "Robbery in progress", priority: null, postal: "204" };

export const createCall = defineOperation({
  id: "calls.create",
  method: "POST",
  path: "/api/calls",
  summary: "Call your own job, or one that everybody may call",
  access: access.permission(create),
  rate: "write",
  input: { body: NewCall },
  output: Type.Object({ id, folded }),
  errors: [
    callsErrors.typeNotFound,
    callsErrors.noJob,
    callsErrors.notCallable,
    callsErrors.postalUnknown,
    callsErrors.messageNeeded,
    callsErrors.tooMany,
  ],
  example: { body: exampleNew, output: { id: 12, folded: false } },
});

export const editCall = defineOperation({
  id: "calls.edit",
  method: "PUT",
  path: "/api/calls/:id",
  summary: "Change type, message, priority and place of an open call",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      ...version,
      typeId: Nullable(id),
      message: CallMessage,
      priority: Priority,
      postal: Nullable(PostalCode),
    }),
  },
  output: CallDetail,
  errors: refusalsOfEdit,
  example: {
    params: { id: 12 },
    body: { version: 1, typeId: 3, message: "Robbery at the bank", priority: 1, postal: "204" },
    output: exampleDetail,
  },
});

export const noteCall = defineOperation({
  id: "calls.note",
  method: "POST",
  path: "/api/calls/:id/notes",
  summary: "Write a note into an open call, for all its jobs or for your own alone",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      text: Type.String({ minLength: 1, maxLength: callsLimits.note }),
      ownJobOnly: Type.Optional(Type.Boolean()),
    }),
  },
  output: CallDetail,
  errors: refusals,
  example: { params: { id: 12 }, body: { text: "Two suspects, one car" }, output: exampleDetail },
});

/** One of the two. */
export const attachToCall = defineOperation({
  id: "calls.attach",
  method: "POST",
  path: "/api/calls/:id/attachments",
  summary: "Attach a citizen or a number plate to an open call",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      citizenId: Type.Optional(Nullable(id)),
      plate: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 16 }))),
    }),
  },
  output: CallDetail,
  errors: [callsErrors.timelineFull, ...refusals, callsErrors.citizenNotFound, callsErrors.citizensHidden],
  example: { params: { id: 12 }, body: { plate: "AB 123" }, output: exampleDetail },
});

export const checkCall = defineOperation({
  id: "calls.check",
  method: "POST",
  path: "/api/calls/:id/checks",
  summary: "Tick a line of the checklist of an open call, or take the tick away",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ line: Type.Integer({ minimum: 1, maximum: mostLines }), done: Type.Boolean() }) },
  output: CallDetail,
  errors: refusals,
  example: { params: { id: 12 }, body: { line: 1, done: true }, output: exampleDetail },
});

const ended: CallDetail = {
  ...exampleDetail,
  version: 2,
  state: "completed",
  ended: { at: 1_795_000_600_000, by: "Ida Holm", text: "Two arrests" },
  may: ["reopen"],
};

export const completeCall = defineOperation({
  id: "calls.complete",
  method: "POST",
  path: "/api/calls/:id/complete",
  summary: "Complete an open call, with its outcome",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ ...version, outcome: Type.Optional(Nullable(Reason)) }) },
  output: CallDetail,
  errors: [callsErrors.timelineFull, ...refusals, callsErrors.stale],
  example: { params: { id: 12 }, body: { version: 1, outcome: "Two arrests" }, output: ended },
});

export const cancelCall = defineOperation({
  id: "calls.cancel",
  method: "POST",
  path: "/api/calls/:id/cancel",
  summary: "Cancel an open call; its caller may, too",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ ...version, reason: Reason }) },
  output: CallDetail,
  errors: [...refusals, callsErrors.stale],
  example: { params: { id: 12 }, body: { version: 1, reason: "False alarm" }, output: { ...ended, state: "cancelled" } },
});

export const reopenCall = defineOperation({
  id: "calls.reopen",
  method: "POST",
  path: "/api/calls/:id/reopen",
  summary: "Open a call again that has ended; it waits from now on",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ ...version, reason: Reason }) },
  output: CallDetail,
  errors: [callsErrors.timelineFull, ...refusals, callsErrors.stale],
  example: { params: { id: 12 }, body: { version: 2, reason: "They came back" }, output: { ...exampleDetail, version: 3 } },
});

/**
 * Calls of these jobs changed, or their types and rules. Without people and texts, which not every viewer may know, except
 * for those of a new call, whose jobs all dispatch it.
 */
export const callsChanged = defineEvent({
  id: "calls.changed",
  version: 1,
  payload: Type.Object({
    jobs: Type.Array(Type.String()),
    /** Callers who are shown. */
    callers: Type.Array(id),
    /** Types or rules changed, which people of other jobs read as well. */
    setup: Type.Boolean(),
    created: Type.Optional(Call),
  }),
});

/** Something changed about calls of the own job or of the own person. */
export const callsTopic = defineTopic({
  name: "calls",
  kind: "event",
  access: access.character(),
  message: Type.Object({
    changed: Type.Boolean(),
    /** New ones, as a dispatcher of their jobs sees them; what the viewer may do is read. */
    created: Type.Array(Call),
  }),
  invalidates: {
    answers: [listPresent, listCalls, listOwnCalls, getCall, listTypes, listCallable, listStorms, getStorm, listStormAlerts],
  },
  previews: { answers: [listPresent] },
  example: { changed: true, created: [{ ...exampleCall, may: [], work: [] }] },
});

export const callsContract = {
  operations: [
    listPresent,
    listCalls,
    listOwnCalls,
    getCall,
    createCall,
    editCall,
    noteCall,
    attachToCall,
    checkCall,
    completeCall,
    cancelCall,
    reopenCall,
    splitCall,
    linkCalls,
    unlinkCalls,
    handOverCall,
    answerHandOver,
    withdrawHandOver,
    mergeCalls,
    undoMerge,
    listStorms,
    getStorm,
    listStormAlerts,
    openStorm,
    dismissStorm,
    listTypes,
    createType,
    putType,
    removeType,
    restoreType,
    orderTypes,
    putRules,
    listCallable,
    syncCall,
    syncCloseCalls,
  ],
  events: [callsChanged],
  topics: [callsTopic],
  notifications: [handOverAsked, handOverOpen, handOverDeclined],
  tasks: [handOverUnanswered, expireCall, archiveCall, touchCall, replanIdle, ...stormTimers],
  machines: [callMachine],
  objects: ["calls.call", "calls.storm", "calls.type"],
  actions: ["calls.expire", "calls.endStorm"],
  errors: callsErrors,
  permissions: Object.values(callsPermissions),
  preferences: [callsViews, archiveViews],
};
