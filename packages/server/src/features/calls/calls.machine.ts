import { defineStateMachine, type EventOf, type StateOf } from "#core/contract/index.ts";

/** A call with units, and what they do, is still open: what it shows then is computed from its assignments. */
export const callMachine = defineStateMachine({
  id: "calls.call",
  initial: "open",
  states: ["open", "completed", "cancelled", "merged"],
  transitions: [
    { event: "edit", from: ["open"] },
    { event: "note", from: ["open"] },
    { event: "attach", from: ["open"] },
    { event: "complete", from: ["open"], to: "completed" },
    { event: "cancel", from: ["open"], to: "cancelled" },
    { event: "expire", from: ["open"], to: "cancelled" },
    { event: "reopen", from: ["completed", "cancelled"], to: "open" },
    { event: "split", from: ["open"] },
    { event: "link", from: ["open", "completed", "cancelled"] },
    { event: "handOver", from: ["open"] },
    { event: "answerHandOver", from: ["open"] },
    { event: "merge", from: ["open"], to: "merged" },
    { event: "undoMerge", from: ["merged"], to: "open" },
  ],
});

export type CallState = StateOf<typeof callMachine>;
export type CallCommand = EventOf<typeof callMachine>;
