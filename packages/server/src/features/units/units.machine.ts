import { defineStateMachine, type EventOf, type StateOf } from "#core/contract/index.ts";

/** Custom statuses of a job behave as one of these. */
export const baseKinds = ["available", "busy", "break", "unavailable"] as const;

/** What changes the status of a unit. Whether an event happens is decided by `units.policy.ts`. */
export const unitMachine = defineStateMachine({
  id: "units.unit",
  initial: "unavailable",
  states: baseKinds,
  transitions: [
    { event: "setAvailable", from: baseKinds, to: "available" },
    { event: "setBusy", from: baseKinds, to: "busy" },
    { event: "setBreak", from: baseKinds, to: "break" },
    { event: "setUnavailable", from: baseKinds, to: "unavailable" },
    { event: "lastLeft", from: ["available", "busy", "break"], to: "unavailable" },
    { event: "underMinimum", from: ["available", "busy", "break"], to: "unavailable" },
    { event: "minimumReached", from: ["unavailable"], to: "available" },
    { event: "madeStatic", from: ["available"], to: "unavailable" },
    { event: "workBegan", from: baseKinds, to: "busy" },
    { event: "workEnded", from: ["busy"], to: "available" },
    { event: "workEndedAtBreak", from: ["busy"], to: "break" },
    { event: "workEndedUnready", from: ["busy"], to: "unavailable" },
  ],
});

export type BaseKind = StateOf<typeof unitMachine>;
export type UnitEvent = EventOf<typeof unitMachine>;
