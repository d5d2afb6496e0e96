import { defineStateMachine, type StateOf } from "#core/contract/index.ts";

export const entryMachine = defineStateMachine({
  id: "timeclock.entry",
  initial: "proposed",
  states: ["counted", "proposed", "rejected"],
  transitions: [
    { event: "confirm", from: ["proposed"], to: "counted" },
    { event: "reject", from: ["proposed"], to: "rejected" },
    { event: "correct", from: ["counted"] },
  ],
});

export type EntryState = StateOf<typeof entryMachine>;

export const correctionMachine = defineStateMachine({
  id: "timeclock.correction",
  initial: "requested",
  states: ["requested", "approved", "declined", "cancelled"],
  transitions: [
    { event: "approve", from: ["requested"], to: "approved" },
    { event: "decline", from: ["requested"], to: "declined" },
    { event: "cancel", from: ["requested"], to: "cancelled" },
  ],
});

export type CorrectionState = StateOf<typeof correctionMachine>;

export const periodMachine = defineStateMachine({
  id: "timeclock.period",
  initial: "open",
  states: ["open", "closing", "closed"],
  transitions: [
    { event: "close", from: ["open"], to: "closing" },
    { event: "finish", from: ["closing"], to: "closed" },
  ],
});

export type PeriodState = StateOf<typeof periodMachine>;
