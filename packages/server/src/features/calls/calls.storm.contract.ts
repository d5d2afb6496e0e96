import { Type, type Static } from "typebox";
import {
  access,
  defineOperation,
  defineWorkerTask,
  extend,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
} from "#core/contract/index.ts";
import { CallAlert, callsErrors, callsPermissions, id, Priority, Reason, ShownType } from "./calls.base.contract.ts";
import { exampleCall } from "./calls.examples.contract.ts";

/** Of one person, and of one source of the game server, within `stormWithinMs`; what comes above belongs to a storm. */
export const mostAlertsOfPerson = 20;
export const mostAlertsOfSource = 200;
export const stormWithinMs = 60_000;

/** A storm that nobody handles ends this time after its last alert. Milliseconds. */
export const stormIdleMs = 60 * 60_000;

/** Storms in one answer, the latest ones, and places of one, those with the most alerts. */
export const mostStorms = 20;
export const mostStormPlaces = 100;

/** `done`: each of its alerts is a call by now. `expired`: nobody handled it in time. */
export const stormStates = ["open", "dismissed", "done", "expired"] as const;
export const stormMoves = ["open", "dismiss"] as const;

const Place = Nullable(Type.Object({ x: Type.Number(), y: Type.Number() }));
/** Names a place of a storm. */
const PlaceKey = Type.String({ minLength: 1, maxLength: 220 });
const count = Type.Integer({ minimum: 0 });

/** More alerts than people can read, which are no calls until somebody makes them some. Who sent them is in no answer. */
export const Storm = Type.Object({
  id,
  state: OneOf(stormStates),
  /** The game server that sent it. */
  source: Nullable(Type.String()),
  jobs: Type.Array(Type.Object({ name: Type.String(), label: Type.String() })),
  beganAt: Instant,
  lastAlertAt: Instant,
  /** It takes further alerts: the last one above the limit came within a minute. */
  running: Type.Boolean(),
  alerts: count,
  /** Those that are no call yet. */
  left: count,
  places: count,
  ended: Nullable(Type.Object({ at: Instant, by: Nullable(Type.String()), text: Nullable(Type.String()) })),
  may: Type.Array(OneOf(stormMoves)),
});
export type Storm = Static<typeof Storm>;

export const StormPlace = Type.Object({
  key: PlaceKey,
  postal: Nullable(Type.String()),
  place: Place,
  alerts: count,
  left: count,
});
export type StormPlace = Static<typeof StormPlace>;

export const StormDetail = extend(Storm, {
  /** Those with the most alerts first. */
  byPlace: Type.Array(StormPlace, { maxItems: mostStormPlaces }),
});
export type StormDetail = Static<typeof StormDetail>;

export const StormAlert = extend(CallAlert, {
  type: Nullable(ShownType),
  priority: Priority,
  postal: Nullable(Type.String()),
  /** Of a caller who is shown. */
  phone: Nullable(Type.String()),
  /** The call that it became. */
  callId: Nullable(id),
});
export type StormAlert = Static<typeof StormAlert>;

const police = { name: "police", label: "Police" };
const exampleStorm: Storm = {
  ...{ id: 4, state: "open", source: "city-1", jobs: [police], beganAt: 1_795_000_000_000, lastAlertAt: 1_795_000_050_000 },
  ...{ running: true, alerts: 212, left: 212, places: 9, ended: null, may: ["open", "dismiss"] },
};
const byId = Type.Object({ id });
const { dispatch } = callsPermissions;

export const listStorms = defineOperation({
  id: "calls.storms",
  method: "GET",
  path: "/api/dispatch/storms",
  summary: "Storms of alerts for your job that nobody has handled yet, the latest first",
  access: access.permission(dispatch),
  rate: "read",
  input: {},
  output: Type.Object({ items: Type.Array(Storm, { maxItems: mostStorms }) }),
  example: { output: { items: [exampleStorm] } },
});

export const getStorm = defineOperation({
  id: "calls.storm",
  method: "GET",
  path: "/api/dispatch/storms/:id",
  summary: "Open a storm of alerts with its places",
  access: access.permission(dispatch),
  rate: "read",
  input: { params: byId },
  output: StormDetail,
  errors: [callsErrors.stormNotFound],
  example: {
    params: { id: 4 },
    output: {
      ...exampleStorm,
      byPlace: [{ key: "postal 204", postal: "204", place: { x: 215.5, y: -810.2 }, alerts: 120, left: 120 }],
    },
  },
});

export const listStormAlerts = defineOperation({
  id: "calls.stormAlerts",
  method: "GET",
  path: "/api/dispatch/storms/:id/alerts",
  summary: "Alerts of a storm, or of one of its places, the newest first",
  access: access.permission(dispatch),
  rate: "read",
  input: { params: byId, query: Type.Object({ ...pageQuery, place: Type.Optional(PlaceKey) }) },
  output: PageOf(StormAlert),
  errors: [callsErrors.stormNotFound],
  example: {
    params: { id: 4 },
    query: { place: "postal 204" },
    output: {
      items: [
        {
          ...{ id: 9, at: 1_795_000_050_000, message: "Shots at the bank", place: { x: 215.5, y: -810.2 }, postal: "204" },
          ...{ type: exampleCall.type, priority: 1, anonymous: true, citizen: null, phone: null, callId: null },
        },
      ],
      ...{ next: null, total: 1, totalCapped: false },
    },
  },
});

export const openStorm = defineOperation({
  id: "calls.openStorm",
  method: "POST",
  path: "/api/dispatch/storms/:id/calls",
  summary: "Make a call of one alert of a storm, or one call of all alerts of one of its places",
  access: access.permission(dispatch),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({ alertId: Type.Optional(Nullable(id)), place: Type.Optional(Nullable(PlaceKey)) }),
  },
  output: Type.Object({ callId: id, alerts: Type.Integer({ minimum: 1 }) }),
  errors: [callsErrors.stormNotFound, callsErrors.stormEnded, callsErrors.stormTaken],
  example: { params: { id: 4 }, body: { alertId: 9 }, output: { callId: 12, alerts: 1 } },
});

export const dismissStorm = defineOperation({
  id: "calls.dismissStorm",
  method: "POST",
  path: "/api/dispatch/storms/:id/dismiss",
  summary: "Dismiss what is left of a storm, with a reason",
  access: access.permission(dispatch),
  rate: "write",
  input: { params: byId, body: Type.Object({ reason: Reason }) },
  output: Storm,
  errors: [callsErrors.stormNotFound, callsErrors.stormEnded],
  example: {
    params: { id: 4 },
    body: { reason: "A fault of the alarm script" },
    output: {
      ...exampleStorm,
      ...{ state: "dismissed", running: false, may: [] },
      ended: { at: 1_795_000_600_000, by: "Ida Holm", text: "A fault of the alarm script" },
    },
  },
});

const timer = (name: string) => defineWorkerTask({ id: `calls.${name}`, payload: Type.Object({ id }), lane: "prompt" });

/** Pages read a storm again that takes many alerts. */
export const touchStorm = timer("touchStorm");
/** Ends a storm that nobody handles, and one whose alerts are all calls. */
export const endStorm = timer("endStorm");
export const stormTimers = [touchStorm, endStorm];
