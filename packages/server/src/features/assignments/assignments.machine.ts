import { defineStateMachine, type EventOf, type StateOf } from "#core/contract/index.ts";
import { unitProgress } from "#features/calls/calls.contract.ts";

/** States in which a unit works a call, from the least progress to the most. */
export const workingStates = ["accepted", "enRoute", "onScene"] as const;

/** One unit on one call. That a unit needs help is a flag beside its working state. */
export const assignmentMachine = defineStateMachine({
  id: "assignments.assignment",
  initial: "offered",
  states: [...unitProgress, "done", "declined", "expired", "withdrawn", "left"],
  transitions: [
    { event: "accept", from: ["offered"], to: "accepted" },
    { event: "decline", from: ["offered"], to: "declined" },
    { event: "expire", from: ["offered"], to: "expired" },
    { event: "withdraw", from: unitProgress, to: "withdrawn" },
    { event: "setAccepted", from: workingStates, to: "accepted" },
    { event: "setEnRoute", from: workingStates, to: "enRoute" },
    { event: "setOnScene", from: workingStates, to: "onScene" },
    { event: "finish", from: workingStates, to: "done" },
    { event: "handBack", from: workingStates, to: "left" },
    { event: "lose", from: workingStates, to: "left" },
  ],
});

export type AssignmentState = StateOf<typeof assignmentMachine>;
export type AssignmentCommand = EventOf<typeof assignmentMachine>;
export type OpenState = (typeof unitProgress)[number];
export type WorkingState = (typeof workingStates)[number];
