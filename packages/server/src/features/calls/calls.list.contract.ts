import { Type } from "typebox";
import { access, Day, defineOperation, OneOf, PageOf, pageQuery } from "#core/contract/index.ts";
import {
  Call,
  CallDetail,
  callsErrors,
  callsOrders,
  callsPermissions,
  id,
  JobName,
  PostalCode,
  Priority,
} from "./calls.base.contract.ts";
import { exampleCall, exampleDetail } from "./calls.examples.contract.ts";
import { callMachine } from "./calls.machine.ts";

/** The kind of exports (`exports.request`) with the list of calls as CSV. */
export const callsExport = "calls.list";
export const mostExported = 50_000;
/** Most present calls in one answer: the most urgent ones. */
export const mostPresent = 500;

/** States of ended calls. */
export const archiveStates = ["completed", "cancelled", "merged"] as const;

const { view } = callsPermissions;
const byId = Type.Object({ id });

const narrowing = {
  q: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Part of the message, the type, the outcome or the postal code, or a number as DSP-12",
    }),
  ),
  /** `ended` is each one that is not open. */
  state: Type.Optional(OneOf([...callMachine.states, "ended"])),
  typeId: Type.Optional(id),
  priority: Type.Optional(Priority),
  postal: Type.Optional(PostalCode),
  /** One of its jobs, beside your own. */
  job: Type.Optional(JobName),
  /** A unit that worked it, among the latest ones of that unit. */
  unitId: Type.Optional(id),
  /** The days on which it was created, the last one included. */
  from: Type.Optional(Day),
  until: Type.Optional(Day),
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
