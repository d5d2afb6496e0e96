import { type Static, Type } from "typebox";
import { defineEvent, defineNotification, defineWorkerTask } from "#core/contract/index.ts";

const id = Type.Integer({ minimum: 1 });
const accountIds = Type.Array(id);

/** Who may decide a step, as `Decider` of the port. */
const Decider = Type.Union([
  Type.Object({ by: Type.Literal("configAdmins") }),
  Type.Object({ by: Type.Literal("jobAdmins"), job: Type.String() }),
  Type.Object({
    by: Type.Literal("right"),
    permission: Type.String(),
    job: Type.String(),
    grades: Type.Object({ from: Type.Integer(), to: Type.Integer() }),
  }),
  Type.Object({ by: Type.Literal("right"), permission: Type.String(), job: Type.Optional(Type.String()) }),
  Type.Object({ by: Type.Literal("grade"), job: Type.String(), minGrade: Type.Integer() }),
  Type.Object({ by: Type.Literal("citizen"), id }),
]);

/** A request was made, went on to its next step, or ended. It names whom that concerns, so that topics need no query. */
export const approvalChanged = defineEvent({
  id: "approvals.changed",
  version: 1,
  payload: Type.Object({
    id,
    kind: Type.String(),
    /** Of the steps that it has reached. */
    deciders: Type.Array(Decider),
    /** The requester, and who decided a step or in whose name one was decided. */
    accountIds,
    /** Accounts to which decisions about its kind are handed over at present. */
    delegateIds: accountIds,
  }),
});
export type ApprovalChange = Static<typeof approvalChanged.payload>;

/** A delegation was given or ended; of its giver and its delegate. */
export const delegationsChanged = defineEvent({
  id: "approvals.delegationsChanged",
  version: 1,
  payload: Type.Object({ accountIds }),
});
export type DelegationsChange = Static<typeof delegationsChanged.payload>;

/** Reminds those who can decide the step that the request was in. */
export const remindDeciders = defineWorkerTask({
  id: "approvals.remind",
  payload: Type.Object({ id }),
  lane: "prompt",
});

export const expireRequest = defineWorkerTask({
  id: "approvals.expire",
  payload: Type.Object({ id }),
  lane: "prompt",
});

const notification = (name: string, tone: "info" | "success" | "warning", params: readonly string[]) =>
  defineNotification({ id: `approvals.${name}`, tone, params, channels: ["bell", "toast"] });

export const requestWaiting = notification("waiting", "info", ["about"]);
export const requestReminder = notification("reminder", "warning", ["about"]);
export const requestApproved = notification("requestApproved", "success", ["about"]);
export const requestRefused = notification("requestRefused", "warning", ["about", "reason"]);
export const requestExpired = notification("requestExpired", "warning", ["about"]);
/** The giver of a delegation reads what was decided in their name. */
export const decidedForYou = notification("decidedForYou", "info", ["about", "by"]);
export const delegationGiven = notification("delegationGiven", "info", ["by"]);

export const approvalsNotifications = [
  requestWaiting,
  requestReminder,
  requestApproved,
  requestRefused,
  requestExpired,
  decidedForYou,
  delegationGiven,
];
