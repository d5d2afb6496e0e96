import { defineStateMachine, type StateOf } from "#core/contract/index.ts";

export const absenceMachine = defineStateMachine({
  id: "absences.absence",
  initial: "requested",
  states: ["requested", "approved", "declined", "cancelled"],
  transitions: [
    { event: "approve", from: ["requested"], to: "approved" },
    { event: "decline", from: ["requested"], to: "declined" },
    { event: "cancel", from: ["requested", "approved"], to: "cancelled" },
    { event: "endEarly", from: ["approved"] },
  ],
});

export type AbsenceState = StateOf<typeof absenceMachine>;
