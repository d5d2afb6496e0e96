import { defineStateMachine, type EventOf, gameRequestStates } from "#core/contract/index.ts";

/**
 * What happened in the game is stronger than the deadline: a receipt that comes late replaces `expired` and
 * `unknown`, and nothing replaces `done` and `refused`.
 */
export const gameRequestMachine = defineStateMachine({
  id: "gamerequests.request",
  initial: "open",
  states: gameRequestStates,
  transitions: [
    { event: "deliver", from: ["open"], to: "delivered" },
    { event: "deadline", from: ["open"], to: "expired" },
    { event: "deadline", from: ["delivered"], to: "unknown" },
    { event: "done", from: ["open", "delivered", "expired", "unknown"], to: "done" },
    { event: "refused", from: ["open", "delivered", "expired", "unknown"], to: "refused" },
    { event: "unknown", from: ["open", "delivered", "expired"], to: "unknown" },
  ],
});

export type GameRequestEvent = EventOf<typeof gameRequestMachine>;
