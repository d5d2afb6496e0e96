import { defineStateMachine, type StateOf } from "#core/contract/index.ts";

export const requestMachine = defineStateMachine({
  id: "approvals.request",
  initial: "open",
  states: ["open", "approved", "refused", "withdrawn", "expired"],
  transitions: [
    { event: "approveStep", from: ["open"] },
    { event: "approve", from: ["open"], to: "approved" },
    { event: "refuse", from: ["open"], to: "refused" },
    { event: "withdraw", from: ["open"], to: "withdrawn" },
    { event: "replace", from: ["open"], to: "withdrawn" },
    { event: "expire", from: ["open"], to: "expired" },
  ],
});

export type RequestState = StateOf<typeof requestMachine>;
