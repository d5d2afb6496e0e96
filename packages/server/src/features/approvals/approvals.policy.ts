import type { AccountActor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { nextState } from "#core/contract/index.ts";
import type { ApprovalHandler, Decider, DecidersNow } from "#core/ports/index.ts";
import { approvalsErrors, longestDelegation } from "./approvals.contract.ts";
import { requestMachine, type RequestState } from "./approvals.machine.ts";

/** What decides which steps a person may decide: the present job, grade and rights. */
export interface Standing {
  readonly accountId: number;
  readonly characterId: number;
  readonly job: string;
  readonly grade: number;
  readonly permissions: readonly string[];
  readonly configAdmin: boolean;
  /** Is in job admin in `job`. */
  readonly jobAdmin: boolean;
}

/** An account without a character decides by its admin powers alone. */
export function standingOf(actor: AccountActor | Viewer): Standing {
  const { accountId, configAdmin } = actor;
  if (!("characterId" in actor))
    return { accountId, characterId: 0, job: "", grade: 0, permissions: [], configAdmin, jobAdmin: false };
  const { characterId, job, grade, rights, jobAdmin } = actor;
  const permissions = Object.keys(rights.all());
  return { accountId, characterId, job, grade, permissions, configAdmin, jobAdmin: jobAdmin !== null };
}

/** Another person's standing that a delegation lends, for requests of its kinds. */
export interface Lent {
  readonly delegationId: number;
  readonly kinds: readonly string[];
  readonly standing: Standing;
  readonly name: string;
}

export interface Caller {
  readonly own: Standing;
  readonly lent: readonly Lent[];
}

export function decides(decider: Decider, who: Standing): boolean {
  switch (decider.by) {
    case "configAdmins":
      return who.configAdmin;
    case "jobAdmins":
      return who.jobAdmin && decider.job === who.job;
    case "right":
      return (
        who.permissions.includes(decider.permission) &&
        (decider.job === undefined || decider.job === who.job) &&
        (!("grades" in decider) || (who.grade >= decider.grades.from && who.grade <= decider.grades.to))
      );
    case "grade":
      return decider.job === who.job && who.grade >= decider.minGrade;
    case "citizen":
      return decider.id === who.characterId;
  }
}

export interface OpenStep {
  readonly kind: string;
  /** Accounts that decided earlier steps, in their own right or lent. */
  readonly before: readonly number[];
  readonly requesterAccountId: number | null;
  readonly deciders: readonly Decider[];
  /** Null where who may decide does not change. */
  readonly now: DecidersNow | null;
}

export type Standpoint = { readonly as: "own" } | { readonly as: "lent"; readonly from: Lent };

/**
 * In whose right the caller decides a step; null when in nobody's. The own right comes first. Neither the
 * requester nor a delegate of the requester decides, nor somebody who decided an earlier step or in whose name
 * one was decided.
 */
export function standpointOf({ own, lent }: Caller, step: OpenStep): Standpoint | null {
  const { kind, requesterAccountId, deciders, before, now } = step;
  if (isAbout(own.accountId, { requesterAccountId, now }) || before.includes(own.accountId)) return null;
  const decidesIt = (who: Standing) =>
    deciders.some((decider) => decides(decider, who)) && (now === null || now.deciders.some((decider) => decides(decider, who)));
  if (decidesIt(own)) return { as: "own" };
  const from = lent.find(
    ({ kinds, standing }) =>
      kinds.includes(kind) &&
      !isAbout(standing.accountId, { requesterAccountId, now }) &&
      !before.includes(standing.accountId) &&
      decidesIt(standing),
  );
  return from === undefined ? null : { as: "lent", from };
}

/** Whether one of these decides, by the chain and, where that can differ, as things are now. */
export function mayStill(deciders: readonly Decider[], standings: readonly Standing[], now: DecidersNow | null): boolean {
  return standings.some(
    (who) =>
      deciders.some((decider) => decides(decider, who)) &&
      (now === null || now.deciders.some((decider) => decides(decider, who))),
  );
}

/** Whether somebody who decided is still in the job for which they did, or stands in for somebody who is. */
export const isStillIn = (deciders: readonly Decider[], standings: readonly Standing[]): boolean =>
  deciders.some(
    (decider) => !("job" in decider) || decider.job === undefined || standings.some(({ job }) => job === decider.job),
  );

/** The own standing, and what delegations lend for a kind. */
export const standingsFor = ({ own, lent }: Caller, kind: string): Standing[] => [
  own,
  ...lent.filter(({ kinds }) => kinds.includes(kind)).map(({ standing }) => standing),
];

/** Whether an account asked for it, or is never to decide it. */
export const isAbout = (accountId: number, { requesterAccountId, now }: Pick<OpenStep, "requesterAccountId" | "now">): boolean =>
  accountId === requesterAccountId || now?.never.includes(accountId) === true;

/** The accounts that decided, or in whose name was decided. */
export function accountsIn(
  decisions: readonly { readonly account_id: number | null; readonly on_behalf_account_id: number | null }[],
): number[] {
  return decisions.flatMap((one) => [one.account_id, one.on_behalf_account_id]).filter((id) => id !== null);
}

/** A request past its time is no longer open, also before the worker task notes it. */
export function stateAt(row: { readonly state: string; readonly expires_at: number | null }, now: number): RequestState {
  const due = row.state === "open" && row.expires_at !== null && row.expires_at <= now;
  return due ? "expired" : (row.state as RequestState);
}

/** Throws an error that names the state, unless it is open. */
export function requireOpen(state: RequestState): void {
  if (state !== "open") throw new AppError(approvalsErrors[state]);
}

/** The state after approving a step of so many. */
export function afterApproval(step: number, steps: number): RequestState {
  const next = nextState(requestMachine, "open", step + 1 < steps ? "approveStep" : "approve");
  if (next === null) throw new Error("the table of requests does not let an open one be approved");
  return next;
}

interface LockTurn {
  readonly lock: NonNullable<ApprovalHandler["lock"]>;
  readonly subjects: readonly string[];
}

/**
 * What is locked about these requests, in the order in which everybody locks it: by the first of all kinds that share a
 * function, whichever of them is among the requests.
 */
export function lockTurns(
  handlers: readonly Pick<ApprovalHandler, "approval" | "lock">[],
  rows: readonly { readonly kind: string; readonly subject: string }[],
): LockTurn[] {
  const inOrder = handlers.toSorted((a, b) => (a.approval.id < b.approval.id ? -1 : 1));
  return [...Map.groupBy(inOrder, ({ lock }) => lock)].flatMap(([lock, some]) => {
    const kinds = new Set(some.map(({ approval }) => approval.id));
    const subjects = rows.filter(({ kind }) => kinds.has(kind)).map(({ subject }) => subject);
    return lock === null || subjects.length === 0 ? [] : [{ lock, subjects }];
  });
}

const day = 86_400_000;

/** Reminders come at most daily after the first one. */
export function nextReminder(now: number, remindAfterMs: number, reminders: number): number {
  return now + (reminders === 0 ? remindAfterMs : Math.max(remindAfterMs, day));
}

/** Throws unless it has a length and an end in the future, and is not too long. */
export function checkSpan({ from, until }: { readonly from: number; readonly until: number }, now: number): void {
  const length = until - Math.max(from, now);
  if (until <= now || until <= from || length > longestDelegation * day)
    throw new AppError(approvalsErrors.delegationSpan, { params: { days: longestDelegation } });
}

/** Throws for a chain that nobody could decide. */
export function checkSteps(kind: string, steps: readonly (readonly Decider[])[]): void {
  if (steps.length === 0 || steps.some((deciders) => deciders.length === 0))
    throw new Error(`the approval ${kind} has a chain without steps, or a step without deciders`);
}
