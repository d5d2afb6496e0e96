import { Type, type Static } from "typebox";
import {
  access,
  defineEvent,
  defineGameRequest,
  defineOperation,
  defineTopic,
  gameRequestStates,
  Instant,
  Nullable,
  OneOf,
} from "#core/contract/index.ts";
import { citizensErrors, citizensPermissions } from "./citizens.shapes.contract.ts";

const params = Type.Object({ id: Type.Integer({ minimum: 1 }) });

/** Asks the game server to send one character again. */
export const resyncRequest = defineGameRequest({
  id: "citizens.resync",
  summary: "Send this character with everything you know of it (`users`), or report that it is deleted (`deleteUsers`)",
  payload: Type.Object({ identifier: Type.String({ description: "The character's ID, as the game server sent it" }) }),
  answer: Type.Object({}),
  expiresMs: 2 * 60_000,
});

/** How the last resynchronisation of a citizen stands, and whether a game server could receive another one. */
export const ResyncStatus = Type.Object({
  connected: Type.Boolean(),
  /** When a plugin last asked for requests; null for never. */
  lastPolledAt: Nullable(Instant),
  request: Nullable(
    Type.Object({
      state: OneOf(gameRequestStates),
      reason: Nullable(Type.String()),
      sentAt: Instant,
      endedAt: Nullable(Instant),
    }),
  ),
});
export type ResyncStatus = Static<typeof ResyncStatus>;

const example: ResyncStatus = {
  connected: true,
  lastPolledAt: 1_790_000_000_000,
  request: { state: "done", reason: null, sentAt: 1_790_000_000_000, endedAt: 1_790_000_001_000 },
};

export const getResync = defineOperation({
  id: "citizens.getResync",
  method: "GET",
  path: "/api/citizens/:id/resync",
  summary: "How the last resynchronisation of a citizen stands",
  access: access.permission(citizensPermissions.resync),
  rate: "read",
  input: { params },
  output: ResyncStatus,
  errors: [citizensErrors.notFound],
  example: { params: { id: 12 }, output: example },
});

/** Replaces an earlier one that no game server has fetched. While a game server runs one, its status is answered and nothing is sent. */
export const requestResync = defineOperation({
  id: "citizens.requestResync",
  method: "POST",
  path: "/api/citizens/:id/resync",
  summary: "Have the game server send a citizen again",
  access: access.permission(citizensPermissions.resync),
  rate: "write",
  input: { params },
  output: ResyncStatus,
  errors: [citizensErrors.notFound, citizensErrors.noGameServer],
  example: {
    params: { id: 12 },
    output: { ...example, request: { state: "open", reason: null, sentAt: 1_790_000_000_000, endedAt: null } },
  },
});

export const resyncChanged = defineEvent({
  id: "citizens.resyncChanged",
  version: 1,
  payload: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
});

/** The resynchronisation of one citizen was requested, was fetched by a game server, or has ended. */
export const resyncTopic = defineTopic({
  name: "resyncs/:id",
  kind: "event",
  access: access.permission(citizensPermissions.resync),
  message: Type.Object({ id: Type.Integer({ minimum: 1 }) }),
  invalidates: { answers: [getResync] },
  example: { id: 12 },
});
