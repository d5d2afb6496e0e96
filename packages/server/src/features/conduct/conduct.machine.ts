import { defineStateMachine, type StateOf } from "#core/contract/index.ts";

export const entryMachine = defineStateMachine({
  id: "conduct.entry",
  initial: "draft",
  states: ["draft", "released", "withdrawn"],
  transitions: [
    { event: "edit", from: ["draft"] },
    { event: "release", from: ["draft"], to: "released" },
    { event: "acknowledge", from: ["released"] },
    { event: "reply", from: ["released"] },
    { event: "withdraw", from: ["released"], to: "withdrawn" },
  ],
});

export type EntryState = StateOf<typeof entryMachine>;
