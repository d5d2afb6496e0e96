import { defineStateMachine, type EventOf, type StateOf } from "#core/contract/index.ts";

/** What an account needs to sign in: how much of it there is. */
export const accountLogin = defineStateMachine({
  id: "accounts.login",
  initial: "unregistered",
  states: ["unregistered", "reserved", "registered"],
  transitions: [
    { event: "reserve", from: ["unregistered", "reserved"], to: "reserved" },
    { event: "issueRegisterToken", from: ["unregistered", "reserved"] },
    { event: "register", from: ["unregistered", "reserved"], to: "registered" },
    { event: "createLogin", from: ["unregistered", "reserved"], to: "registered" },
    { event: "issueResetToken", from: ["reserved", "registered"] },
    { event: "reset", from: ["reserved", "registered"], to: "registered" },
    { event: "setPassword", from: ["reserved", "registered"], to: "registered" },
    { event: "merge", from: ["unregistered"] },
  ],
});

/** Whether an account may be used. A deleted one remembers whether it was disabled. */
export const accountStanding = defineStateMachine({
  id: "accounts.standing",
  initial: "enabled",
  states: ["enabled", "disabled", "deleted", "deletedDisabled", "purged"],
  transitions: [
    { event: "reserve", from: ["enabled"] },
    { event: "issueRegisterToken", from: ["enabled"] },
    { event: "register", from: ["enabled"] },
    { event: "issueResetToken", from: ["enabled"] },
    { event: "reset", from: ["enabled"] },
    { event: "createLogin", from: ["enabled", "disabled"] },
    { event: "setPassword", from: ["enabled", "disabled"] },
    { event: "move", from: ["enabled", "disabled"] },
    { event: "disable", from: ["enabled", "disabled"], to: "disabled" },
    { event: "enable", from: ["disabled"], to: "enabled" },
    { event: "delete", from: ["enabled"], to: "deleted" },
    { event: "delete", from: ["disabled"], to: "deletedDisabled" },
    { event: "restore", from: ["deleted"], to: "enabled" },
    { event: "restore", from: ["deletedDisabled"], to: "disabled" },
    { event: "merge", from: ["enabled", "disabled", "deleted", "deletedDisabled"], to: "purged" },
    { event: "purge", from: ["deleted", "deletedDisabled"], to: "purged" },
  ],
});

export type AccountLoginState = StateOf<typeof accountLogin>;
export type AccountStandingState = StateOf<typeof accountStanding>;
export type AccountEvent = EventOf<typeof accountLogin> | EventOf<typeof accountStanding>;

/** What a config admin can do with an account in the panel. */
export const panelEvents = [
  "issueRegisterToken",
  "issueResetToken",
  "move",
  "disable",
  "enable",
  "delete",
  "restore",
] as const satisfies readonly AccountEvent[];
