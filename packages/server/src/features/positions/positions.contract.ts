import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineOperation,
  definePermission,
  defineTopic,
  Instant,
  Nullable,
  OneOf,
} from "#core/contract/index.ts";
import { batchSource, gameKey } from "#features/sync/sync.contract.ts";
import { bootId, dutyStates } from "#features/duty/duty.contract.ts";

/** Most positions in one call: a whole city at once. */
export const positionsLimit = 2000;
/** A place that is not reported again for this long is forgotten. Milliseconds. */
export const placeAgeMs = 15 * 60_000;
/** A process that starts knows places as of at most this long ago; the game server reports them again within seconds. Milliseconds. */
const placeKeptMs = 10_000;
/** Frames of places per second and viewer. */
export const framesPerSecond = 5;

export const positionsPermissions = {
  /** Of which jobs, and up to which grade, the places of people on duty are seen. */
  view: definePermission("positions.view", { jobs: { type: "jobGrades" } }),
};

export const positionsErrors = defineErrors("positions", {});

/** Metres of the game's world; far outside of every map. */
const coordinate = { minimum: -100_000, maximum: 100_000 };

/** Where one character is. */
export const SyncPosition = Type.Object({
  identifier: gameKey(64, { description: "The character's ID, as in `users`" }),
  x: Type.Optional(Type.Number({ ...coordinate, description: "Needed unless `remove` is set" })),
  y: Type.Optional(Type.Number(coordinate)),
  z: Type.Optional(Nullable(Type.Number(coordinate))),
  heading: Type.Optional(
    Nullable(Type.Number({ minimum: -360, maximum: 360, description: "Degrees, anticlockwise from north" })),
  ),
  speed: Type.Optional(Nullable(Type.Number({ minimum: 0, maximum: 1000, description: "Metres per second" }))),
  vehicle: Type.Optional(Nullable(Type.String({ maxLength: 32, description: "Plate of the vehicle that the character is in" }))),
  job: Type.Optional(Nullable(gameKey(50, { description: "For game servers that do not report duty" }))),
  hidden: Type.Optional(Type.Boolean({ description: "Shown to nobody; still a sign of life" })),
  remove: Type.Optional(Type.Boolean({ description: "The character is nowhere any more" })),
});
export type SyncPosition = Static<typeof SyncPosition>;

/** Positions are not stored: they live in memory and, for a quarter of an hour, on the broker. */
export const syncPositions = defineOperation({
  id: "positions.sync",
  method: "POST",
  path: "/api/sync/v1/positions",
  summary: "Report where characters are",
  access: access.sync(),
  idempotent: "effect",
  rate: "sync",
  input: {
    body: Type.Object({
      source: batchSource,
      boot: bootId,
      at: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            "When they were taken, in milliseconds since 1970, by a clock of the source that never goes back within one boot; positions that are older than those known are ignored, and of those of one instant the one that arrives later counts. Left out: in the order in which calls arrive",
        }),
      ),
      clear: Type.Optional(
        Type.Boolean({ description: "Characters of this source that are not among the items are nowhere any more" }),
      ),
      items: Type.Array(SyncPosition, { maxItems: positionsLimit }),
    }),
  },
  output: Type.Object({
    accepted: Type.Integer({ description: "Positions taken" }),
    ignored: Type.Integer({ description: "Positions that were older than those known" }),
    rejected: Type.Array(
      Type.Object({
        index: Type.Integer({ description: "Position in `items`" }),
        id: Nullable(Type.String()),
        code: Type.String(),
        message: Type.String(),
      }),
    ),
  }),
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: {
    body: {
      source: "city-1",
      boot: "2026-11-25T18:00:00Z",
      at: 1_790_000_000_000,
      items: [{ identifier: "char1:0a1b2c3d", x: 425.1, y: -979.5, z: 30.7, heading: 90, speed: 4.5, vehicle: "PD 204" }],
    },
    output: { accepted: 1, ignored: 0, rejected: [] },
  },
});

/** Where somebody on duty is. */
export const Place = Type.Object({
  name: Type.String(),
  job: Type.String(),
  grade: Type.Integer(),
  state: OneOf(dutyStates),
  x: Type.Number({ precision: 0.1 }),
  y: Type.Number({ precision: 0.1 }),
  z: Nullable(Type.Number({ precision: 1 })),
  heading: Nullable(Type.Number({ precision: 2 })),
  speed: Nullable(Type.Number({ precision: 0.5 })),
  vehicle: Nullable(Type.String()),
  postal: Nullable(Type.String()),
});
export type Place = Static<typeof Place>;

/** By the character's ID. Viewers get those that they may see, and none off duty in the job that their rights follow, or while their own place is unknown or hidden. */
export const positionsTopic = defineTopic({
  name: "positions",
  kind: "state",
  rate: framesPerSecond,
  maxAgeMs: placeAgeMs,
  keepLatest: true,
  keepEveryMs: placeKeptMs,
  moves: { x: "line", y: "line", heading: "angle" },
  access: access.permission(positionsPermissions.view),
  message: Place,
  example: {
    name: "Mara Lind",
    job: "police",
    grade: 2,
    state: "on",
    x: 425.1,
    y: -979.5,
    z: 31,
    heading: 90,
    speed: 4.5,
    vehicle: "PD 204",
    postal: "204",
  },
});

/** A place that only moved is published to its own character this often. Milliseconds. */
export const ownPlaceEveryMs = 10_000;

/** One's own place: no value while it is not known. Lives at least as long as the place that was reported last. */
export const ownPlaceTopic = defineTopic({
  name: "positions/:character",
  kind: "state",
  maxAgeMs: placeAgeMs + ownPlaceEveryMs,
  access: access.permission(positionsPermissions.view),
  message: Type.Object({ hidden: Type.Boolean() }),
  example: { hidden: false },
});

/** How the own place of a viewer stands, which decides whether others are shown. */
export const OwnPlace = Type.Object({
  onDuty: Type.Boolean({ description: "On duty in the first job; duty in a second one opens no places" }),
  known: Type.Boolean(),
  hidden: Type.Boolean(),
  exempt: Type.Boolean({ description: "Sees places whatever the own one is" }),
  /** When the own place was last reported. */
  at: Nullable(Instant),
  reports: OneOf(["places", "nobody", "silent", "never", "demo"], {
    description:
      "What game servers report now. `places`: where people are; `nobody`: they call, and nobody is in the game; `silent`: they called before; `never`: none ever did; `demo`: none calls, and the city is that of the demo",
  }),
  /** While none reports places. */
  reportedAt: Nullable(Instant),
});
export type OwnPlace = Static<typeof OwnPlace>;

export const getOwnPlace = defineOperation({
  id: "positions.own",
  method: "GET",
  path: "/api/positions/own",
  summary: "Whether you see places, and why not",
  access: access.permission(positionsPermissions.view),
  rate: "read",
  input: {},
  output: OwnPlace,
  example: {
    output: {
      onDuty: true,
      known: true,
      hidden: false,
      exempt: false,
      at: 1_790_000_000_000,
      reports: "places",
      reportedAt: null,
    },
  },
});

export const positionsContract = {
  operations: [syncPositions, getOwnPlace],
  topics: [positionsTopic, ownPlaceTopic],
  errors: positionsErrors,
  permissions: Object.values(positionsPermissions),
};
