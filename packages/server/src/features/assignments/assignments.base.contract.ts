import { Type, type Static } from "typebox";
import { defineErrors, Instant, Nullable, OneOf, Version } from "#core/contract/index.ts";
import { Call, exampleCall } from "#features/calls/calls.contract.ts";
import { assignmentMachine } from "./assignments.machine.ts";

export const assignmentsErrors = defineErrors("assignments", {
  notFound: { status: 404 },
  unitNotFound: { status: 404 },
  /** The job of the unit does not work the call. */
  otherJob: { status: 409, params: ["unit", "id"] },
  unitEmpty: { status: 409, params: ["unit"] },
  /** The game server does not see anybody of its crew. */
  unitMissing: { status: 409, params: ["unit"] },
  already: { status: 409, params: ["unit", "id"] },
  full: { status: 409, params: ["id", "most"] },
  tooOften: { status: 409, params: ["id", "most"] },
  /** The member sees the call as its caller alone. */
  callsHidden: { status: 403, params: ["permission"] },
  notDispatcher: { status: 403, params: ["permission"] },
  notMember: { status: 403, params: ["unit"] },
  noUnit: { status: 409 },
  notOnDuty: { status: 409 },
  /** The job has central command. */
  central: { status: 409 },
  notOffered: { status: 409, params: ["unit", "id"] },
  notWorking: { status: 409, params: ["unit", "id"] },
  /** The record in the answer says who was first. */
  stale: { status: 409 },
});

/** Units on one call at a time. */
export const mostUnits = 40;
/** How often units may be brought to a call while it is open: each reading of it reads them. */
export const mostOften = 200;
export const longestReason = 255;

/** An offer of a call of priority 1 is open for this time, one of another call for `offerMs`. Milliseconds. */
export const urgentOfferMs = 15_000;
export const offerMs = 30_000;
/** An offer whose end was missed because the server was down is open for this time more. Milliseconds. */
export const graceMs = 10_000;
/** Its end was missed when it comes so much too late; a server that runs is never so late. Milliseconds. */
export const missedMs = 3_000;

/**
 * How units of a job get calls. `manual`: dispatchers offer and assign, and members take calls. `central`: dispatchers
 * alone. `simplified`: members take calls.
 */
export const modes = ["manual", "central", "simplified"] as const;
export type Mode = (typeof modes)[number];

export const WorkRules = Type.Object({
  version: Type.Integer({ minimum: 0 }),
  mode: OneOf(modes),
  /** A call is completed when its last unit is done; otherwise it waits again. */
  completes: Type.Boolean(),
});
export type WorkRules = Static<typeof WorkRules>;

export const usualRules: WorkRules = { version: 0, mode: "manual", completes: true };

export const id = Type.Integer({ minimum: 1 });
export const seen = { version: Version };
export const Reason = Type.String({ minLength: 1, maxLength: longestReason });

/** One unit on one call, also after its end. */
export const Assignment = Type.Object({
  id,
  version: Version,
  callId: id,
  unit: Type.Object({ id, name: Type.String() }),
  state: OneOf(assignmentMachine.states),
  needsHelp: Type.Boolean(),
  until: Nullable(Instant),
  /** Who accepted it, or assigned the unit, and when. */
  accepted: Nullable(Type.Object({ by: Nullable(Type.String()), at: Instant })),
});
export type Assignment = Static<typeof Assignment>;

export const exampleAssignment: Assignment = {
  ...{ id: 31, version: 2, callId: 12, unit: { id: 7, name: "Adam 1" }, state: "accepted", needsHelp: false, until: null },
  accepted: { by: "Ida Holm", at: 1_795_000_060_000 },
};

/** The unit of the viewer. */
export const OwnUnit = Type.Object({
  id,
  name: Type.String(),
  callsign: Nullable(Type.String()),
  colour: Type.String(),
  job: Type.String(),
});

export const OwnWork = Type.Object({
  unit: Nullable(OwnUnit),
  /** The viewer is on duty in the unit's job. */
  onDuty: Type.Boolean(),
  mode: OneOf(modes),
  /** What its unit works and is asked for; the one with the latest progress first, then offers. */
  calls: Type.Array(Call),
});
export type OwnWork = Static<typeof OwnWork>;

export const exampleOwnCall: Static<typeof Call> = {
  ...exampleCall,
  progress: "enRoute",
  units: [
    {
      id: 31,
      version: 2,
      unit: { id: 7, name: "Adam 1", callsign: "A1", colour: "#2563eb", job: { name: "police", label: "Police" } },
      state: "enRoute",
      needsHelp: false,
      since: 1_795_000_060_000,
      until: null,
      mine: true,
      may: ["progress", "finish", "handBack"],
    },
  ],
};
