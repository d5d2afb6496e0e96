import { defineStateMachine, type StateOf } from "#core/contract/index.ts";

/** What a dispatcher found out that a panic was. */
export const panicOutcomes = ["real", "false", "test"] as const;
export type PanicOutcome = (typeof panicOutcomes)[number];

/** A person in danger. How it ended is its state. */
export const panicMachine = defineStateMachine({
  id: "panic.panic",
  initial: "active",
  states: ["active", "cancelled", ...panicOutcomes],
  transitions: [
    { event: "pressAgain", from: ["active"] },
    { event: "cancel", from: ["active"], to: "cancelled" },
    { event: "endReal", from: ["active"], to: "real" },
    { event: "endFalse", from: ["active"], to: "false" },
    { event: "endTest", from: ["active"], to: "test" },
  ],
});

/** The alarm of one job. */
export const alarmMachine = defineStateMachine({
  id: "panic.alarm",
  initial: "ringing",
  states: ["ringing", "acknowledged", "over"],
  transitions: [
    { event: "repeat", from: ["ringing"] },
    { event: "acknowledge", from: ["ringing"], to: "acknowledged" },
    { event: "end", from: ["ringing"], to: "over" },
  ],
});

export type PanicState = StateOf<typeof panicMachine>;
export type AlarmState = StateOf<typeof alarmMachine>;
