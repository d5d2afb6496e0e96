import { Type, type Static } from "typebox";
import {
  defineErrors,
  defineOrders,
  definePermission,
  defineSavedViews,
  extend,
  Instant,
  inWords,
  Nullable,
  OneOf,
  Version,
} from "#core/contract/index.ts";
import { IconName } from "#features/icons/icons.contract.ts";
import { longestCode, worldEdge } from "#features/postals/postals.contract.ts";
import { callMachine } from "./calls.machine.ts";

export const callsPermissions = {
  view: definePermission("calls.view"),
  create: definePermission("calls.create"),
  dispatch: definePermission("calls.dispatch"),
  setup: definePermission("calls.setup"),
  /** With `calls.view`. */
  export: definePermission("calls.export"),
};

export const callsErrors = defineErrors("calls", {
  notFound: { status: 404 },
  typeNotFound: { status: 404 },
  citizenNotFound: { status: 404, params: ["id"] },
  /** It has ended; names who ended it, and when in the zone of `loc`. */
  completed: { status: 409, params: ["id", "by", "at"] },
  cancelled: { status: 409, params: ["id", "by", "at"] },
  tooOld: { status: 409, params: ["id", "at"] },
  /** Names who merged it into another call, and when. */
  merged: { status: 409, params: ["id", "by", "at"] },
  stillOpen: { status: 409, params: ["id"] },
  notMerged: { status: 409, params: ["id"] },
  /** The call that it was merged into is no longer open. */
  survivorEnded: { status: 409, params: ["id"] },
  mergedFull: { status: 409, params: ["most"] },
  unitsFull: { status: 409, params: ["id", "most"] },
  unitNotThere: { status: 409, params: ["id"] },
  noteNotFound: { status: 404 },
  handOverThere: { status: 409, params: ["id", "job"] },
  handOverPending: { status: 409, params: ["id", "job"] },
  notHandedOver: { status: 409, params: ["id"] },
  notReceiver: { status: 403, params: ["permission"] },
  linksFull: { status: 409, params: ["id", "most"] },
  /** The viewer dispatches some of its jobs. */
  notAllJobs: { status: 403, params: ["id", "jobs"] },
  notDispatcher: { status: 403, params: ["permission"] },
  stale: { status: 409 },
  tooMany: { status: 409, params: ["most", "seconds"] },
  notCallable: { status: 403, params: ["job"] },
  noJob: { status: 409 },
  postalUnknown: { status: 409, params: ["postal"] },
  messageNeeded: { status: 409 },
  citizensHidden: { status: 403, params: ["permission"] },
  codeTaken: { status: 409, params: ["code"] },
  typesFull: { status: 409, params: ["most"] },
  deletedFull: { status: 409, params: ["most"] },
  timelineFull: { status: 409, params: ["id", "most"] },
  /** A panic ends as real, false or a test, and in no other way. */
  panic: { status: 409, params: ["id"] },
  /** It is not merged, split or handed over. */
  panicAlone: { status: 409, params: ["id"] },
  /** It stays the most urgent. */
  panicPriority: { status: 409, params: ["id"] },
  stormNotFound: { status: 404 },
  stormEnded: { status: 409, params: ["id"] },
  /** Somebody else was faster. */
  stormTaken: { status: 409, params: ["id"] },
});

/** Changes of a call are refused with one of these. */
export const refusals = [
  callsErrors.notFound,
  callsErrors.completed,
  callsErrors.cancelled,
  callsErrors.tooOld,
  callsErrors.merged,
  callsErrors.stillOpen,
  callsErrors.panic,
  callsErrors.panicAlone,
  callsErrors.notDispatcher,
];

export const refusalsOfEdit = [
  callsErrors.timelineFull,
  ...refusals,
  callsErrors.stale,
  callsErrors.typeNotFound,
  callsErrors.postalUnknown,
  callsErrors.panicPriority,
];

/** Filters of the list of all calls. */
export const callsViews = defineSavedViews("calls.views");
/** Filters of the archive. */
export const archiveViews = defineSavedViews("calls.archiveViews");

/** Orders of that list. */
export const callsOrders = defineOrders(["priority", "createdAt", "endedAt"], { default: "priority" });

export const callsLimits = { message: 1000, reason: 255, note: 1000, jobs: 8, code: 16, name: 64, line: 120, phone: 32 } as const;
/** Incident types of a job, and lines of its checklists and questions. */
export const mostTypes = 60;
export const mostLines = 12;

/** Calls in one call: each reading of it reads their timelines. */
export const mostMerged = 10;
export const mostLinks = 20;

/** Lines of a timeline that people may write; its end always finds room. */
export const mostEntries = 500;
/** Of these, lines that only dispatchers may write. */
export const keptForDispatchers = 100;
/** Lines of a timeline about what crews say, and as many about what dispatchers do with units; the rest is done, and not written. */
export const mostUnitEntries = 500;

/** So many calls a person may make within the time. */
export const mostCalls = 3;
export const callsWithinMs = 60_000;

/** An ended call leaves the list of present calls after this time. Milliseconds. */
export const archiveAfterMs = 15 * 60_000;
/** A member of a unit may reopen a call within this time of its end. Milliseconds. */
export const reopenWithinMs = 10 * 60_000;

export const id = Type.Integer({ minimum: 1 });
export const Coordinate = Type.Number({
  minimum: -worldEdge,
  maximum: worldEdge,
  ...inWords(`must be a number of metres from ${-worldEdge} to ${worldEdge}`),
});
export const JobName = Type.String({ minLength: 1, maxLength: 50 });
export const Priority = Type.Integer({ minimum: 1, maximum: 5, description: "1 is the most urgent" });
export const Reason = Type.String({ minLength: 1, maxLength: callsLimits.reason });
const Line = Type.String({ minLength: 1, maxLength: callsLimits.line });
const Lines = Type.Array(Line, { maxItems: mostLines });
export const CallMessage = Type.String({ minLength: 1, maxLength: callsLimits.message });
export const PostalCode = Type.String({ minLength: 1, maxLength: longestCode });

export const TypeContent = Type.Object({
  code: Type.String({
    minLength: 1,
    maxLength: callsLimits.code,
    pattern: "^[A-Za-z0-9-]+$",
    ...inWords("must consist of letters, digits and dashes, such as 10-31"),
  }),
  name: Type.String({ minLength: 1, maxLength: callsLimits.name }),
  priority: Priority,
  colour: Type.String({ pattern: "^#[0-9a-f]{6}$", ...inWords("must be a colour, such as #2563eb") }),
  icon: Nullable(IconName),
  /** Written into a new call where its caller says nothing else. */
  message: Nullable(CallMessage),
  /** Jobs that get such calls; empty for the job of the type. */
  jobs: Type.Array(JobName, { maxItems: callsLimits.jobs }),
  checklist: Lines,
  questions: Lines,
});
export type TypeContent = Static<typeof TypeContent>;

export const IncidentType = extend(TypeContent, { id, version: Version, deleted: Type.Boolean() });
export type IncidentType = Static<typeof IncidentType>;

/** A type as calls show it, also after it was deleted. */
export const ShownType = Type.Object({
  id,
  code: Type.String(),
  name: Type.String(),
  colour: Type.String(),
  icon: Nullable(Type.String()),
});

export const folded = Type.Boolean({ description: "Others had called for the same a moment ago: it was added to their call" });

const Job = Type.Object({ name: Type.String(), label: Type.String() });
const Person = Type.Object({ id, name: Type.String() });

/** A panic is a call that nobody can overlook: it joins no other one, is never too old, and ends as a panic does. */
export const callKinds = ["call", "panic"] as const;
export type CallKind = (typeof callKinds)[number];

/** What a panic says, in every language. */
export const panicMessage = "PANIC";

/** What happens to a call by people. */
export const callMoves = [
  "edit",
  "note",
  "attach",
  "complete",
  "cancel",
  "reopen",
  "split",
  "link",
  "handOver",
  "answerHandOver",
  "merge",
  "undoMerge",
] as const;

/** What an unit does about an open call that it was asked for, from the least progress to the most. */
export const unitProgress = ["offered", "accepted", "enRoute", "onScene"] as const;

/** What an open call shows of its units; `waiting` where nobody was asked and nobody works it. */
export const callProgress = ["waiting", ...unitProgress, "needsHelp"] as const;
export type CallProgress = (typeof callProgress)[number];

/** What somebody may do to a unit on a call. `progress` sets another working state, or asks for help. */
export const unitMoves = ["accept", "decline", "withdraw", "progress", "finish", "handBack"] as const;

/** What somebody may do about the units of a call. `offer` is to ask units or to assign them without asking. */
export const workMoves = ["offer", "take"] as const;

/** A unit that is asked, or works the call. */
export const UnitOnCall = Type.Object({
  /** Of the assignment. */
  id,
  version: Version,
  unit: Type.Object({ id, name: Type.String(), callsign: Nullable(Type.String()), colour: Type.String(), job: Job }),
  state: OneOf(unitProgress),
  needsHelp: Type.Boolean(),
  /** Since when it is in this state. */
  since: Instant,
  /** When an offer ends that nobody answers. */
  until: Nullable(Instant),
  /** The viewer is in the unit. */
  mine: Type.Boolean(),
  may: Type.Array(OneOf(unitMoves)),
});
export type UnitOnCall = Static<typeof UnitOnCall>;

/** Another job is asked to take the call over. */
export const HandOver = Type.Object({
  from: Job,
  to: Job,
  at: Instant,
  by: Nullable(Type.String()),
  /** Nobody answered for a minute. */
  unanswered: Type.Boolean(),
});

export const Call = Type.Object({
  id,
  version: Version,
  state: OneOf(callMachine.states),
  kind: OneOf(callKinds),
  type: Nullable(ShownType),
  message: Type.String(),
  priority: Priority,
  /** In metres of the world. */
  place: Nullable(Type.Object({ x: Type.Number(), y: Type.Number() })),
  postal: Nullable(Type.String()),
  jobs: Type.Array(Job),
  createdAt: Instant,
  /** How often it was called for: everybody who reports the same within a moment and some metres is added to one call. */
  alerts: Type.Integer({ minimum: 1 }),
  lastAlertAt: Instant,
  /** Since when it waits: its creation, or the last time it was reopened. */
  waitingSince: Instant,
  ended: Nullable(
    Type.Object({
      at: Instant,
      /** Null for the time that ran out. */
      by: Nullable(Type.String()),
      text: Nullable(Type.String()),
    }),
  ),
  archived: Type.Boolean(),
  /** The call that this one is a part of; null also for a viewer who does not see that one. */
  mergedInto: Nullable(id),
  /** Null for a caller who is not of its jobs. */
  handOver: Nullable(HandOver),
  may: Type.Array(OneOf(callMoves)),
  /** Of an open one. */
  progress: Nullable(OneOf(callProgress)),
  /** The furthest first; none for a caller who is not of its jobs. */
  units: Type.Array(UnitOnCall),
  work: Type.Array(OneOf(workMoves)),
});
export type Call = Static<typeof Call>;

export const CallCaller = Type.Object({
  anonymous: Type.Boolean(),
  /** Both are null for an anonymous one. */
  citizen: Nullable(Person),
  phone: Nullable(Type.String()),
  at: Instant,
});

/** Most alerts of a call that are shown: the latest ones. */
export const mostAlerts = 50;

export const CallAlert = Type.Object({
  id,
  at: Instant,
  message: Type.String(),
  place: Nullable(Type.Object({ x: Type.Number(), y: Type.Number() })),
  anonymous: Type.Boolean(),
  /** Null for an anonymous caller, and for the game server. */
  citizen: Nullable(Person),
});

/** Lines of a timeline that people write. */
export const writtenKinds = [
  "created",
  "edited",
  "priority",
  "note",
  "citizen",
  "vehicle",
  "checked",
  "unchecked",
  "completed",
  "cancelled",
  "reopened",
  "merged",
  "unmerged",
  "split",
  "linked",
  "unlinked",
  "handOver",
  "handedOver",
  "handOverDeclined",
  "handOverKept",
  "handOverOpen",
] as const;

/** Lines of a timeline that say what units do. */
export const unitKinds = [
  "offered",
  "assigned",
  "taken",
  "accepted",
  "declined",
  "expired",
  "withdrawn",
  "enRoute",
  "onScene",
  "needsHelp",
  "helped",
  "done",
  "left",
  "lost",
] as const;

/** Lines of a timeline that say what happens to a panic. */
export const panicKinds = ["pressedAgain", "acknowledged", "unanswered"] as const;

/** What a timeline says. */
export const entryKinds = [...writtenKinds, ...unitKinds, ...panicKinds] as const;

export const CallEntry = Type.Object({
  id,
  /** The call that it was written in: this one, or one that was merged into it. */
  callId: id,
  at: Instant,
  kind: OneOf(entryKinds),
  /** Null for the server, and for an anonymous caller. */
  by: Nullable(Type.String()),
  text: Nullable(Type.String()),
  /** For members of this job alone; null for those of all its jobs. */
  job: Nullable(Type.String()),
  /** Of the kind `citizen`; null for somebody who was deleted. */
  citizen: Nullable(Person),
  /** The other call that it is about. */
  other: Nullable(id),
});

export const Check = Type.Object({ text: Type.String(), done: Type.Boolean() });
export const Answer = Type.Object({ question: Line, answer: Type.String({ minLength: 1, maxLength: callsLimits.line }) });

/** A call that was merged into another one. */
export const MergedCall = Type.Object({ id, version: Version, message: Type.String(), createdAt: Instant });

export const LinkedCall = Type.Object({ id, state: OneOf(callMachine.states), message: Type.String(), createdAt: Instant });

export const CallDetail = extend(Call, {
  /** Calls that were merged into it and that it is linked with; without those that the viewer does not see. */
  merged: Type.Array(MergedCall),
  links: Type.Array(LinkedCall),
  callers: Type.Array(CallCaller),
  /** The latest first; none for a caller who is not of its jobs. */
  reports: Type.Array(CallAlert, { maxItems: mostAlerts }),
  checklist: Type.Array(Check),
  answers: Type.Array(Answer),
  /** The oldest first. */
  timeline: Type.Array(CallEntry),
});
export type CallDetail = Static<typeof CallDetail>;
