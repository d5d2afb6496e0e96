import { Type, type Static } from "typebox";
import { access, defineOperation, Nullable } from "#core/contract/index.ts";
import { batchSource, gameKey } from "#features/sync/sync.contract.ts";
import {
  Answer,
  CallMessage,
  callsErrors,
  callsLimits,
  Coordinate,
  folded,
  id,
  JobName,
  mostLines,
  Priority,
} from "./calls.base.contract.ts";

export const SyncCall = Type.Object({
  source: batchSource,
  jobs: Type.Array(JobName, { minItems: 1, maxItems: callsLimits.jobs, description: "Who is called" }),
  message: CallMessage,
  type: Type.Optional(
    Nullable(
      Type.String({ minLength: 1, maxLength: callsLimits.code, description: "Code of an incident type of the first job" }),
    ),
  ),
  priority: Type.Optional(Priority),
  x: Type.Optional(Nullable(Coordinate)),
  y: Type.Optional(Nullable(Coordinate)),
  identifier: Type.Optional(Nullable(gameKey(64, { description: "The character who calls, as in `users`" }))),
  anonymous: Type.Optional(Type.Boolean({ description: "Who called is shown to nobody", default: false })),
  phone: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: callsLimits.phone }))),
  answers: Type.Optional(Type.Array(Answer, { maxItems: mostLines })),
});
export type SyncCall = Static<typeof SyncCall>;

/** A call, or a storm that the alert waits in until somebody makes a call of it. */
const SyncedCall = Type.Object({
  id: Nullable(id),
  ref: Nullable(Type.String({ description: "As people read it, such as `DSP-12`; null for an alert of a storm" })),
  folded,
  storm: Nullable(
    Type.Object(
      { id, ref: Type.String({ description: "As people read it, such as `STM-4`" }) },
      { description: "Too many alerts came within a minute: it is kept, and dispatchers decide what becomes a call" },
    ),
  ),
});

export const syncCall = defineOperation({
  id: "calls.sync",
  method: "POST",
  path: "/api/sync/v1/calls",
  summary: "Create a call for one or several jobs",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: SyncCall },
  output: SyncedCall,
  errors: [callsErrors.noJob, callsErrors.typeNotFound],
  example: {
    body: { source: "city-1", jobs: ["police"], message: "Alarm at the bank", x: 147.2, y: -1044.8, priority: 1 },
    output: { id: 12, ref: "DSP-12", folded: false, storm: null },
  },
});

export const syncCloseCalls = defineOperation({
  id: "calls.syncClose",
  method: "POST",
  path: "/api/sync/v1/calls/close",
  summary: "Complete the open calls of a character",
  access: access.sync(),
  idempotent: "effect",
  rate: "sync",
  input: { body: Type.Object({ source: batchSource, identifier: gameKey(64, { description: "The character, as in `users`" }) }) },
  output: Type.Object({ closed: Type.Integer({ minimum: 0 }) }),
  example: { body: { source: "city-1", identifier: "char1:0a1b2c3d" }, output: { closed: 1 } },
});
