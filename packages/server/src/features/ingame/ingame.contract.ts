import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineEvent,
  defineGameRequest,
  defineOperation,
  defineTopic,
  defineWorkerTask,
  gameRequestStates,
  Instant,
  Nullable,
  OneOf,
} from "#core/contract/index.ts";

export const ingameErrors = defineErrors("ingame", {
  notInGame: { status: 409 },
  noGameServer: { status: 409, params: ["source"] },
  postalUnknown: { status: 404, params: ["postal"] },
  noTarget: { status: 400 },
});

const coordinate = { minimum: -100_000, maximum: 100_000 };

/** Sets the waypoint of one player's map. */
export const waypointRequest = defineGameRequest({
  id: "ingame.waypoint",
  summary: "Set the waypoint on this player's map, in place of the one before; refuse when the character is not in the game",
  payload: Type.Object({
    identifier: Type.String({ description: "The character's ID, as in `users`" }),
    x: Type.Number(),
    y: Type.Number(),
    label: Type.String({ maxLength: 64, description: "What is there, for a message to the player; may be empty" }),
  }),
  answer: Type.Object({}),
  expiresMs: 30_000,
});

/**
 * Waypoints of one character. One call each may write, reach the game server and wait there before those of others, so a
 * game server gets far fewer of one person than calls are allowed.
 */
export const waypointLimits = { burst: 10, perSecond: 0.5 };

/** A toast that is later than this is no news any more. Milliseconds. */
export const toastMs = 60_000;
/** Toasts to one character in `toastMs`; those beyond are counted. */
export const mostToasts = 6;
export const mostTitle = 100;
export const mostToastText = 300;

const both = (maxLength: number) => Type.Object({ en: Type.String({ maxLength }), de: Type.String({ maxLength }) });

/** Shows a short text to one player: a notification of those for which the person chose the game. */
export const toastRequest = defineGameRequest({
  id: "ingame.toast",
  summary:
    "Show this player a short text for some seconds, in the language of the player's game; refuse when the character is not in the game",
  payload: Type.Object({
    identifier: Type.String({ description: "The character's ID, as in `users`" }),
    tone: OneOf(["info", "success", "warning", "danger"], { description: "How it looks" }),
    title: both(mostTitle),
    text: both(mostToastText),
    missed: Type.Integer({
      minimum: 0,
      description:
        "How many before this one were not sent, because there were too many at once or they came too late: worth a line when not 0",
    }),
  }),
  answer: Type.Object({}),
  expiresMs: toastMs,
  audited: false,
});

/** Sends notifications of one kind, made at `at` by the database's clock, to those of these people who are in the game. */
export const sendToasts = defineWorkerTask({
  id: "ingame.toasts",
  payload: Type.Object({
    kind: Type.String(),
    at: Type.Integer(),
    items: Type.Array(
      Type.Object({
        accountId: Type.Integer(),
        characterId: Nullable(Type.Integer()),
        count: Type.Integer(),
        params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
      }),
    ),
  }),
  lane: "prompt",
  // The last attempt comes when a toast is no news any more, and counts it as missed.
  retry: { attempts: 8, firstMs: 1_000, maxMs: toastMs / 4 },
  timeoutMs: 10_000,
});

/** The last waypoint of the character, and what became of it; null when none was sent in the last days. */
export const Waypoint = Type.Object({
  state: OneOf(gameRequestStates),
  reason: Nullable(Type.String()),
  sentAt: Instant,
  endedAt: Nullable(Instant),
});
export type Waypoint = Static<typeof Waypoint>;

const exampleWaypoint: Waypoint = { state: "open", reason: null, sentAt: 1_790_000_000_000, endedAt: null };

export const getWaypoint = defineOperation({
  id: "ingame.waypoint",
  method: "GET",
  path: "/api/ingame/waypoint",
  summary: "What became of your last waypoint",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({ waypoint: Nullable(Waypoint) }),
  example: { output: { waypoint: { ...exampleWaypoint, state: "done", endedAt: 1_790_000_000_400 } } },
});

/** Of the own character. One that no game server has fetched is replaced. */
export const setWaypoint = defineOperation({
  id: "ingame.setWaypoint",
  method: "POST",
  path: "/api/ingame/waypoint",
  summary: "Set the waypoint of your character in the game",
  access: access.character(),
  rate: "write",
  input: {
    body: Type.Object({
      target: Type.Object({
        postal: Type.Optional(Type.String({ minLength: 1, maxLength: 48, description: "Instead of `x` and `y`" })),
        x: Type.Optional(Type.Number(coordinate)),
        y: Type.Optional(Type.Number(coordinate)),
      }),
    }),
  },
  output: Type.Object({ waypoint: Nullable(Waypoint) }),
  errors: [ingameErrors.notInGame, ingameErrors.noGameServer, ingameErrors.postalUnknown, ingameErrors.noTarget],
  example: { body: { target: { postal: "204" } }, output: { waypoint: exampleWaypoint } },
});

export const waypointChanged = defineEvent({
  id: "ingame.waypointChanged",
  version: 1,
  payload: Type.Object({ character: Type.Integer({ minimum: 1 }) }),
});

/** The waypoint of one character was sent, fetched by the game server, or has ended. */
export const waypointTopic = defineTopic({
  name: "waypoints/:character",
  kind: "event",
  access: access.character(),
  message: Type.Object({ character: Type.Integer({ minimum: 1 }) }),
  invalidates: { answers: [getWaypoint] },
  example: { character: 12 },
});

export const ingameContract = {
  operations: [getWaypoint, setWaypoint],
  events: [waypointChanged],
  topics: [waypointTopic],
  gameRequests: [waypointRequest, toastRequest],
  tasks: [sendToasts],
  errors: ingameErrors,
};
