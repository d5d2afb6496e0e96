import { Type, type Static } from "typebox";
import {
  defineErrors,
  defineOrders,
  definePermission,
  defineSavedViews,
  Instant,
  Nullable,
  OneOf,
  Version,
} from "#core/contract/index.ts";
import { alarmMachine, panicMachine } from "./panic.machine.ts";

export const panicPermissions = {
  /** On duty, people with it are alarmed at once, and acknowledge. */
  answer: definePermission("panic.answer"),
  /** With `panic.answer`, also off duty: for those who dispatch without the game. */
  always: definePermission("panic.always"),
  view: definePermission("panic.view"),
  /** With `panic.view`. */
  export: definePermission("panic.export"),
  setup: definePermission("panic.setup"),
};

export const panicErrors = defineErrors("panic", {
  notFound: { status: 404 },
  notOnDuty: { status: 409 },
  citizenNotFound: { status: 404 },
  /** Say when it works again; `count` chooses between singular and plural: of these seconds, or of whole minutes. */
  tooSoon: { status: 409, params: ["seconds", "count"] },
  tooMany: { status: 409, params: ["most", "minutes", "seconds", "count"] },
  tooLate: { status: 409, params: ["seconds"] },
  ended: { status: 409, params: ["id"] },
  own: { status: 403 },
  notAlarmed: { status: 403, params: ["permission"] },
  notDispatcher: { status: 403, params: ["permission"] },
  jobNotFound: { status: 409, params: ["job"] },
  ownJob: { status: 409 },
  stale: { status: 409 },
});

export const panicViews = defineSavedViews("panic.views");
export const panicOrders = defineOrders(["pressedAt"], { default: "-pressedAt" });

/** So many panics of a person within these times. */
export const panicEveryMs = 60_000;
export const mostPanics = 3;
export const panicsWithinMs = 10 * 60_000;
/** Who pressed may cancel for so long. Milliseconds. */
export const cancelWithinMs = 10_000;
/** Where nobody acknowledges, everybody on duty is alarmed this often. Milliseconds. */
export const repeatEveryMs = 30_000;
/** The last time is so long after the panic was pressed. Milliseconds. */
export const repeatForMs = 15 * 60_000;
/** How often the place is shown, and for how long; a report comes early by so much at most. Milliseconds. */
export const placeEveryMs = 2_000;
export const placeSlackMs = 400;
export const placeForMs = 15 * 60_000;
/** Two presses within this time are one. Milliseconds. */
export const samePressMs = 1_000;
/** Further presses have a line in the timeline this often, with how many there were. Milliseconds. */
export const lineEveryMs = 60_000;
export const longestNote = 255;

export const id = Type.Integer({ minimum: 1 });
const Job = Type.Object({ name: Type.String(), label: Type.String() });

/** What somebody may do about a panic. */
export const panicMoves = ["cancel", "acknowledge", "end"] as const;

export const PanicAlarm = Type.Object({
  job: Job,
  state: OneOf(alarmMachine.states),
  /** When it was acknowledged, and by whom. */
  at: Nullable(Instant),
  by: Nullable(Type.String()),
  /** How often everybody on duty was alarmed, because nobody had acknowledged. */
  repeats: Type.Integer({ minimum: 0 }),
});

export const Panic = Type.Object({
  id,
  version: Version,
  state: OneOf(panicMachine.states),
  callId: id,
  /** Null for somebody who was removed for good. */
  person: Nullable(Type.Object({ id, name: Type.String() })),
  job: Job,
  pressedAt: Instant,
  presses: Type.Integer({ minimum: 1 }),
  /** The place of the last press, in metres of the world. */
  place: Nullable(Type.Object({ x: Type.Number(), y: Type.Number() })),
  postal: Nullable(Type.String()),
  /** The newest place that the viewer may know: for who answers where the person was followed to, else that of the last press. */
  lastSeen: Nullable(Type.Object({ x: Type.Number(), y: Type.Number(), postal: Nullable(Type.String()), at: Instant })),
  /** Until then the present place is shown. */
  placeUntil: Instant,
  alarms: Type.Array(PanicAlarm),
  ended: Nullable(Type.Object({ at: Instant, by: Nullable(Type.String()), note: Nullable(Type.String()) })),
  /** The viewer pressed. */
  mine: Type.Boolean(),
  /** It alarms the viewer now: nobody of the own job has acknowledged it. */
  rings: Type.Boolean(),
  cancelUntil: Instant,
  may: Type.Array(OneOf(panicMoves)),
});
export type Panic = Static<typeof Panic>;

export const examplePanic: Panic = {
  id: 4,
  version: 2,
  state: "active",
  callId: 231,
  person: { id: 12, name: "Mara Lind" },
  job: { name: "police", label: "Police" },
  pressedAt: 1_795_000_000_000,
  presses: 1,
  place: { x: 215.5, y: -810.2 },
  postal: "204",
  lastSeen: { x: 222.1, y: -804.9, postal: "204", at: 1_795_000_006_000 },
  placeUntil: 1_795_000_900_000,
  alarms: [
    { job: { name: "police", label: "Police" }, state: "ringing", at: null, by: null, repeats: 0 },
    {
      ...{ job: { name: "ambulance", label: "Ambulance" }, state: "acknowledged" as const },
      ...{ at: 1_795_000_008_000, by: "Ida Holm", repeats: 0 },
    },
  ],
  ended: null,
  mine: false,
  rings: true,
  cancelUntil: 1_795_000_010_000,
  may: ["acknowledge", "end"],
};
