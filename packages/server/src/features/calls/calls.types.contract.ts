import { Type, type Static } from "typebox";
import { access, defineOperation, extend, Version } from "#core/contract/index.ts";
import { callsErrors, callsPermissions, id, IncidentType, JobName, mostTypes, TypeContent } from "./calls.base.contract.ts";
import { exampleType, exampleTypeContent } from "./calls.examples.contract.ts";

const { setup } = callsPermissions;
const byId = Type.Object({ id });

/** What counts for the calls of a job. */
export const CallsRules = Type.Object({
  /** 0 while nobody changed them. */
  version: Type.Integer({ minimum: 0 }),
  /** Everybody may call the job, not only its own people. */
  public: Type.Boolean(),
  /** An open call in which nothing happens for so long is cancelled. Minutes. */
  idleMinutes: Type.Integer({ minimum: 5, maximum: 1440 }),
  /** From this age on an open call is late. Seconds. */
  waitSeconds: Type.Integer({ minimum: 30, maximum: 7200 }),
});
export type CallsRules = Static<typeof CallsRules>;

export const usualRules: CallsRules = { version: 0, public: false, idleMinutes: 60, waitSeconds: 300 };

export const listTypes = defineOperation({
  id: "calls.listTypes",
  method: "GET",
  path: "/api/call-types",
  summary: "Incident types of your job, in their order, and its rules for calls",
  access: access.character(),
  rate: "read",
  input: {},
  /** Deleted ones only for those who may restore them. */
  output: Type.Object({ items: Type.Array(IncidentType), rules: CallsRules }),
  example: { output: { items: [exampleType], rules: usualRules } },
});

export const createType = defineOperation({
  id: "calls.createType",
  method: "POST",
  path: "/api/call-types",
  summary: "Create an incident type of your job",
  access: access.permission(setup),
  rate: "write",
  input: { body: TypeContent },
  output: IncidentType,
  errors: [callsErrors.codeTaken, callsErrors.typesFull, callsErrors.deletedFull, callsErrors.notCallable],
  example: { body: exampleTypeContent, output: exampleType },
});

export const putType = defineOperation({
  id: "calls.putType",
  method: "PUT",
  path: "/api/call-types/:id",
  summary: "Change an incident type",
  access: access.permission(setup),
  rate: "write",
  input: { params: byId, body: extend(TypeContent, { version: Version }) },
  output: IncidentType,
  errors: [callsErrors.typeNotFound, callsErrors.codeTaken, callsErrors.notCallable, callsErrors.stale],
  example: { params: { id: 3 }, body: { ...exampleTypeContent, version: 1 }, output: exampleType },
});

export const removeType = defineOperation({
  id: "calls.removeType",
  method: "DELETE",
  path: "/api/call-types/:id",
  summary: "Delete an incident type; calls of it stay readable, and it can be restored",
  access: access.permission(setup),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [callsErrors.typeNotFound],
  example: { params: { id: 3 } },
});

export const restoreType = defineOperation({
  id: "calls.restoreType",
  method: "POST",
  path: "/api/call-types/:id/restore",
  summary: "Restore a deleted incident type",
  access: access.permission(setup),
  rate: "write",
  input: { params: byId },
  output: IncidentType,
  errors: [callsErrors.notCallable, callsErrors.typeNotFound, callsErrors.codeTaken, callsErrors.typesFull],
  example: { params: { id: 3 }, output: exampleType },
});

/** Types that are not named keep their order behind the others. */
export const orderTypes = defineOperation({
  id: "calls.orderTypes",
  method: "PUT",
  path: "/api/call-types",
  summary: "Put the incident types of your job into an order",
  access: access.permission(setup),
  rate: "write",
  input: { body: Type.Object({ ids: Type.Array(id, { minItems: 1, maxItems: mostTypes }) }) },
  output: null,
  errors: [callsErrors.typeNotFound],
  example: { body: { ids: [3, 1, 2] } },
});

export const putRules = defineOperation({
  id: "calls.putRules",
  method: "PUT",
  path: "/api/call-rules",
  summary: "Change who may call your job, and the times of its calls",
  access: access.permission(setup),
  rate: "write",
  input: { body: CallsRules },
  output: CallsRules,
  errors: [callsErrors.stale],
  example: { body: usualRules, output: { ...usualRules, version: 1 } },
});

/** What a new call needs to say of its type. */
const CallableType = Type.Object({
  id,
  code: Type.String(),
  name: Type.String(),
  priority: Type.Integer(),
  message: Type.Union([Type.String(), Type.Null()]),
  questions: Type.Array(Type.String()),
});

export const listCallable = defineOperation({
  id: "calls.callable",
  method: "GET",
  path: "/api/dispatch/jobs",
  summary: "Jobs that you may call, with their incident types",
  access: access.permission(callsPermissions.create),
  rate: "read",
  input: {},
  output: Type.Object({
    items: Type.Array(Type.Object({ job: JobName, label: Type.String(), types: Type.Array(CallableType) })),
  }),
  example: {
    output: {
      items: [
        {
          job: "police",
          label: "Police",
          types: [
            {
              id: 3,
              code: "10-31",
              name: "Robbery",
              priority: 1,
              message: "Robbery in progress",
              questions: ["Are there weapons?"],
            },
          ],
        },
      ],
    },
  },
});
