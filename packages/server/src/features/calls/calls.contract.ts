import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineEvent,
  defineOperation,
  defineTopic,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Version,
} from "#core/contract/index.ts";
import {
  Answer,
  Call,
  CallDetail,
  CallMessage,
  callsErrors,
  callsLimits,
  callsOrders,
  callsPermissions,
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
import { mergeCalls, undoMerge } from "./calls.merge.contract.ts";
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
export * from "./calls.merge.contract.ts";
export * from "./calls.ref.contract.ts";
export * from "./calls.sync.contract.ts";
export * from "./calls.tasks.contract.ts";
export * from "./calls.types.contract.ts";

/** Ended calls are kept for this time. Milliseconds. */
export const callsKeptMs = days(365);

/** The kind of exports (`exports.request`) with the list of calls as CSV. */
export const callsExport = "calls.list";
export const mostExported = 50_000;
/** Most present calls in one answer: the most urgent ones. */
export const mostPresent = 500;

const { view, create } = callsPermissions;
const byId = Type.Object({ id });
const version = { version: Version };

const narrowing = {
  q: Type.Optional(
    Type.String({ maxLength: 64, description: "Part of the message, the type or the postal code, or a number as DSP-12" }),
  ),
  state: Type.Optional(OneOf(callMachine.states)),
  typeId: Type.Optional(id),
  priority: Type.Optional(Priority),
  ...callsOrders.query,
};
export const CallsFilters = Type.Object(narrowing);

/** Open ones, and those that ended a moment ago. */
export const listPresent = defineOperation({
  id: "calls.present",
  method: "GET",
  path: "/api/dispatch/calls",
  summary: "Present calls of your job, the most urgent first, of the same priority the oldest",
  access: access.permission(view),
  rate: "read",
  input: {},
  output: Type.Object({
    items: Type.Array(Call),
    /** Open ones. */
    open: Type.Integer({ minimum: 0 }),
    /** From this age on an open one is late, by the rules of your job. */
    waitSeconds: Type.Integer({ minimum: 1 }),
  }),
  example: { output: { items: [exampleCall], open: 1, waitSeconds: 300 } },
});

export const listCalls = defineOperation({
  id: "calls.list",
  method: "GET",
  path: "/api/calls",
  summary: "List and search all calls of your job",
  access: access.permission(view),
  rate: "search",
  input: { query: Type.Object({ ...pageQuery, ...narrowing }) },
  output: PageOf(Call),
  example: { query: { q: "robbery" }, output: { items: [exampleCall], next: null, total: 1, totalCapped: false } },
});

/** Calls in which the character is a caller who is shown. */
export const listOwnCalls = defineOperation({
  id: "calls.own",
  method: "GET",
  path: "/api/dispatch/own",
  summary: "Your own present calls, without those that you made anonymously",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({ items: Type.Array(Call) }),
  example: { output: { items: [{ ...exampleCall, may: ["cancel"] }] } },
});

export const getCall = defineOperation({
  id: "calls.get",
  method: "GET",
  path: "/api/calls/:id",
  summary: "Open a call with its callers and its timeline; a caller sees what happened, without notes and other callers",
  access: access.character(),
  rate: "read",
  input: { params: byId },
  output: CallDetail,
  errors: [callsErrors.notFound],
  example: { params: { id: 12 }, output: exampleDetail },
});

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
  invalidates: { answers: [listPresent, listCalls, listOwnCalls, getCall, listTypes, listCallable] },
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
  tasks: [handOverUnanswered, expireCall, archiveCall, touchCall, replanIdle],
  machines: [callMachine],
  objects: ["calls.call", "calls.type"],
  actions: ["calls.expire"],
  errors: callsErrors,
  permissions: Object.values(callsPermissions),
  preferences: [callsViews],
};
