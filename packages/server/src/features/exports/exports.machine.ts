import { defineStateMachine, type StateOf } from "#core/contract/index.ts";

export const exportMachine = defineStateMachine({
  id: "exports.export",
  initial: "open",
  states: ["open", "done", "failed"],
  transitions: [
    { event: "begin", from: ["open"] },
    { event: "complete", from: ["open"], to: "done" },
    { event: "fail", from: ["open"], to: "failed" },
    { event: "giveUp", from: ["open"], to: "failed" },
    { event: "download", from: ["done"] },
  ],
});

export type ExportState = StateOf<typeof exportMachine>;
