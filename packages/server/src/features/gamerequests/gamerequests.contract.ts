import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineErrors,
  defineEvent,
  defineOperation,
  defineWorkerTask,
  gameRequestStates,
  Instant,
  Nullable,
  OneOf,
} from "#core/contract/index.ts";
import { gameRequestMachine } from "./gamerequests.machine.ts";
import { batchSource } from "#features/sync/sync.contract.ts";

export const gamerequestsErrors = defineErrors("gamerequests", {
  tooManyPolls: { status: 429, params: ["most", "seconds"] },
  sourceTaken: { status: 409, params: ["source"] },
});

/** The longest time that a poll waits. Seconds. */
export const mostWaitSeconds = 25;
/** Polls of one token that wait at the same time in one process. */
export const mostPolls = 16;
/** Requests in one answer. */
export const mostDelivered = 50;
export const mostReceipts = 100;
/** A game server that has not polled for this long counts as not connected. Milliseconds. */
export const connectedMs = 60_000;
/** One that has not polled for this long counts as gone, and no longer as one that is to be repaired. Milliseconds. */
export const goneMs = days(1);
export const keptMs = days(7);

const id = Type.String({ minLength: 26, maxLength: 26 });
const Values = Type.Unsafe<Record<string, unknown>>({ type: "object", additionalProperties: true });

export const DeliveredRequest = Type.Object({
  id,
  position: Type.Integer({ minimum: 1, description: "Its place in the order; rises from request to request" }),
  kind: Type.String({ description: "What to do" }),
  payload: Values,
  sentAt: Instant,
  expiresInMs: Type.Integer({ minimum: 0, description: "Milliseconds from this answer; must not begin later" }),
});
export type DeliveredRequest = Static<typeof DeliveredRequest>;

/**
 * Delivers at least once, in order: a request is repeated until a poll states its position or a later one. The
 * plugin keeps the ids of what it has run, so that it runs none twice.
 */
export const pollRequests = defineOperation({
  id: "gamerequests.poll",
  method: "GET",
  path: "/api/sync/v1/requests",
  summary: "Requests to the game server, as soon as there are any",
  access: access.sync(),
  rate: "sync",
  input: {
    query: Type.Object({
      source: batchSource,
      epoch: Type.Optional(Type.String({ maxLength: 26, description: "Of the answer before; left out at first" })),
      after: Type.Optional(
        Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: "Position of the answer before" }),
      ),
      wait: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: mostWaitSeconds,
          default: 0,
          description: "Seconds to wait for a request when there is none",
        }),
      ),
    }),
  },
  output: Type.Object({
    requests: Type.Array(DeliveredRequest, { maxItems: mostDelivered }),
    epoch: Type.String({ description: "Changes when positions are no longer valid, for example after a restore" }),
    position: Type.Integer({ minimum: 0, description: "State it as `after` in the next call" }),
    reset: Type.Boolean({ description: "The given position was of another epoch: `requests` begins with the first open one" }),
  }),
  errors: [gamerequestsErrors.tooManyPolls, gamerequestsErrors.sourceTaken],
  example: {
    query: { source: "city-1", epoch: "01K0000000000000000000EPCH", after: 6, wait: 25 },
    output: {
      requests: [
        {
          id: "01K00000000000000000000007",
          position: 7,
          kind: "citizens.resync",
          payload: { identifier: "char1:0a1b2c3d" },
          sentAt: 1_790_000_000_000,
          expiresInMs: 119_000,
        },
      ],
      epoch: "01K0000000000000000000EPCH",
      position: 7,
      reset: false,
    },
  },
});

export const receiptOutcomes = ["done", "refused", "unknown"] as const;

const Receipt = Type.Object({
  id,
  outcome: OneOf(receiptOutcomes, {
    description: "`unknown`: it began, and what became of it is not known, for example after a crash",
  }),
  answer: Type.Optional(Values),
  reason: Type.Optional(Type.String({ maxLength: 500, description: "Why it was refused or is unknown; shown to people" })),
});
export type Receipt = Static<typeof Receipt>;

/** Says what became of requests. Repeating a receipt changes nothing. */
export const putReceipts = defineOperation({
  id: "gamerequests.receipts",
  method: "POST",
  path: "/api/sync/v1/requests/receipts",
  summary: "Report what became of requests to the game server",
  access: access.sync(),
  idempotent: "effect",
  rate: "sync",
  input: {
    body: Type.Object({ source: batchSource, receipts: Type.Array(Receipt, { minItems: 1, maxItems: mostReceipts }) }),
  },
  output: Type.Object({
    accepted: Type.Integer({ minimum: 0, description: "Receipts that ended a request, or said what became of one" }),
    unchanged: Type.Integer({ minimum: 0, description: "Receipts of requests that had ended this way, or otherwise, before" }),
    missing: Type.Array(Type.String(), {
      description: "IDs that are not known, or were delivered to another source: nothing more can be done about them",
    }),
  }),
  errors: [gamerequestsErrors.sourceTaken],
  bodyLimit: 4 * 1024 * 1024,
  example: {
    body: { source: "city-1", receipts: [{ id: "01K00000000000000000000007", outcome: "done", answer: {} }] },
    output: { accepted: 1, unchanged: 0, missing: [] },
  },
});

/** A request was sent: ends the wait of polls for it. */
export const gamerequestsSent = defineEvent({
  id: "gamerequests.sent",
  version: 1,
  payload: Type.Object({ position: Type.Integer(), source: Nullable(Type.String()) }),
});

/** A plugin has fetched the request for the first time. */
export const gamerequestsDelivered = defineEvent({
  id: "gamerequests.delivered",
  version: 1,
  payload: Type.Object({ id, kind: Type.String(), key: Nullable(Type.String()) }),
});

export const expireRequest = defineWorkerTask({
  id: "gamerequests.expire",
  payload: Type.Object({ id }),
  lane: "prompt",
});

/**
 * Runs the end of a request in the feature that sent it, apart from the call that reported it: a handler that fails
 * is tried again and neither refuses the receipt nor keeps other features waiting.
 */
export const endRequest = defineWorkerTask({
  id: "gamerequests.ended",
  payload: Type.Object({ id, state: OneOf(gameRequestStates), order: Type.String() }),
  lane: "prompt",
  orderKey: ({ order }) => order,
});

export const gamerequestsContract = {
  operations: [pollRequests, putReceipts],
  events: [gamerequestsSent, gamerequestsDelivered],
  tasks: [expireRequest, endRequest],
  actions: ["gamerequests.send", "gamerequests.end"],
  objects: ["gamerequests.request"],
  errors: gamerequestsErrors,
  machines: [gameRequestMachine],
};
