import type { Viewer } from "#core/actor.ts";
import { allowedEvents, nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { JobLabels } from "#features/jobs/jobs.api.ts";
import {
  type Call,
  type CallKind,
  callMoves,
  callsErrors,
  callsPermissions,
  reopenWithinMs,
  unitKinds,
} from "./calls.base.contract.ts";
import { type CallCommand, callMachine, type CallState } from "./calls.machine.ts";
import { refOf } from "./calls.ref.contract.ts";
import type { CallRow } from "./calls.repo.ts";
import { typeTagOf } from "./calls.types.policy.ts";
import type { TypeRow } from "./calls.types.repo.ts";

/** Kind of calls in the search. */
export const callsSearchKind = "calls";

/**
 * What somebody is to a call. `dispatcher`: of one of its jobs, or of a job with that level. `member`: of a unit that
 * works it. `firstUnit`: of the unit that accepted first. `dispatcherOfAll`: of every job that dispatches it.
 * `receiver`: may answer for the job that it is handed over to. `caller`: one who is shown. `system`: the server, or the game.
 */
export type CallRole = "receiver" | "dispatcher" | "dispatcherOfAll" | "member" | "firstUnit" | "caller" | "system";

/** Who may do what to a call; in which states, the state machine says. */
export const callRules: Readonly<Record<CallCommand, readonly CallRole[]>> = {
  edit: ["dispatcher", "system"],
  note: ["dispatcher", "member", "system"],
  attach: ["dispatcher", "member", "system"],
  complete: ["dispatcher", "firstUnit", "system"],
  cancel: ["dispatcher", "caller", "system"],
  expire: ["system"],
  reopen: ["dispatcher", "member", "system"],
  split: ["dispatcher"],
  link: ["dispatcher"],
  handOver: ["dispatcher"],
  answerHandOver: ["receiver"],
  merge: ["dispatcherOfAll"],
  undoMerge: ["dispatcherOfAll"],
};

export type CallLevel = "view" | "participate" | "dispatch";

/** One job of a call. */
export interface OfferedJob {
  readonly job: string;
  readonly level: string;
  readonly min_grade: number;
  readonly expires_at: number | null;
}

/** What the job may do with it ended at an instant. */
export const isOver = ({ expires_at: at }: Pick<OfferedJob, "expires_at">, now: number): boolean => at !== null && at <= now;

type Standing = Pick<Viewer, "job" | "grade" | "rights">;

/** How far the viewer's job goes in a call; null where the viewer does not see it by the job. */
export function levelOf({ job, grade, rights }: Standing, jobs: readonly OfferedJob[], now: number): CallLevel | null {
  const own = jobs.find((one) => one.job === job);
  if (own === undefined || !rights.has(callsPermissions.view.id)) return null;
  if (grade < own.min_grade || isOver(own, now)) return null;
  return own.level as CallLevel;
}

/** The same with the viewer's unit: who is asked for a call or works it sees it, whatever the own rights are. */
export const levelOfCrew = (level: CallLevel | null, isCrew: boolean): CallLevel | null =>
  isCrew && level !== "dispatch" ? "participate" : level;

/**
 * What the viewer is to a call; empty for somebody who does not see it, or only sees it. `byUnit`: by the unit that the
 * viewer is in.
 */
export function rolesOf(
  viewer: Standing,
  level: CallLevel | null,
  isCaller: boolean,
  byUnit: readonly Extract<CallRole, "member" | "firstUnit">[],
): CallRole[] {
  const dispatches = level === "dispatch" && viewer.rights.has(callsPermissions.dispatch.id);
  const works = level === "dispatch" || level === "participate";
  return [...(dispatches ? (["dispatcher"] as const) : []), ...(works ? byUnit : []), ...(isCaller ? (["caller"] as const) : [])];
}

/** The same with whether a dispatcher dispatches every job of the call that does; one whose offer expired no longer does. */
export function withAllJobs(roles: readonly CallRole[], { job }: Pick<Viewer, "job">, jobs: readonly OfferedJob[], now: number) {
  const others = jobs.filter((one) => one.job !== job && one.level === "dispatch" && !isOver(one, now));
  return roles.includes("dispatcher") && others.length === 0 ? [...roles, "dispatcherOfAll" as const] : roles;
}

/** What decides about a command, as it is stored. */
export interface CallStanding {
  readonly id: number;
  readonly state: string;
  readonly kind: string;
  /** A unit works it, or did. */
  readonly accepted: boolean;
  readonly ended_at: number | null;
  readonly ended_by: string | null;
}

type Ended = Omit<CallStanding, "accepted" | "kind">;

function counts(role: CallRole, command: CallCommand, { accepted, ended_at }: CallStanding, now: number): boolean {
  if (!callRules[command].includes(role)) return false;
  if (role === "caller") return !accepted;
  return !(role === "member" && command === "reopen" && now - (ended_at ?? now) > reopenWithinMs);
}

/** What ends a panic belongs to the panic itself, and one that is over is pressed again. */
const endsOfPanic: ReadonlySet<CallCommand> = new Set(["complete", "cancel", "reopen"]);
/** A panic stays a call of its own, with the jobs that it alarms: a part of it would have no end. */
const notOfPanic: ReadonlySet<CallCommand> = new Set(["merge", "split", "handOver"]);

export type Verdict = "allowed" | "state" | "panic" | "panicAlone" | "who";

/** Whether somebody with these roles may do it now; otherwise whether the state or the person is in the way. */
export function verdictOf(command: CallCommand, roles: readonly CallRole[], call: CallStanding, now: number): Verdict {
  if (nextState(callMachine, call.state as CallState, command) === null) return "state";
  if (call.kind === "panic" && endsOfPanic.has(command)) return "panic";
  if (call.kind === "panic" && notOfPanic.has(command)) return "panicAlone";
  return roles.some((role) => counts(role, command, call, now)) ? "allowed" : "who";
}

/** What people with these roles may do now, for the browser. */
export function movesOf(roles: readonly CallRole[], call: CallStanding, now: number): (typeof callMoves)[number][] {
  const allowed = new Set(allowedEvents(callMachine, call.state as CallState));
  return callMoves.filter((move) => allowed.has(move) && verdictOf(move, roles, call, now) === "allowed");
}

/** Throws where it is refused; says in which state the call is, and who brought it there. */
export function requireAllowed(
  command: CallCommand,
  roles: readonly CallRole[],
  call: CallStanding,
  { now, timeOf }: { readonly now: number; readonly timeOf: (at: number) => string },
): void {
  const verdict = verdictOf(command, roles, call, now);
  if (verdict === "allowed") return;
  if (verdict === "panic" || verdict === "panicAlone")
    throw new AppError(callsErrors[verdict], { params: { id: refOf(call.id) } });
  if (verdict === "who") throw new AppError(callsErrors.notDispatcher, { params: { permission: callsPermissions.dispatch.id } });
  const params = { id: refOf(call.id) };
  requireOpen(call, timeOf);
  throw new AppError(command === "undoMerge" ? callsErrors.notMerged : callsErrors.stillOpen, { params });
}

/** Throws for a call that is a part of another one; says who merged it, and when. */
export function requireNotMerged(call: Ended, timeOf: (at: number) => string): void {
  if (call.state === "merged") requireOpen(call, timeOf);
}

/** Throws for a call that has ended; says who ended it, and when. */
export function requireOpen(call: Ended, timeOf: (at: number) => string): void {
  const { id, ended_at: at, ended_by: by } = call;
  if (at === null) return;
  const when = { id: refOf(id), at: timeOf(at) };
  if (by === null) throw new AppError(callsErrors.tooOld, { params: when });
  const errors = { completed: callsErrors.completed, cancelled: callsErrors.cancelled, merged: callsErrors.merged };
  throw new AppError(errors[call.state as keyof typeof errors], { params: { ...when, by } });
}

/** When nothing having happened until then cancels a call: the job with the most patience decides. */
export function idleAt(now: number, minutes: readonly number[]): number {
  return now + Math.max(...minutes) * 60_000;
}

/** Lines that crews write as often as they like. */
const ofCrews: ReadonlySet<string> = new Set([
  ...["taken", "accepted", "declined", "enRoute", "onScene", "needsHelp", "helped", "done", "left"],
]);

/**
 * The kinds of lines that together have a limit with this one of a unit, so that what crews write leaves room for what
 * dispatchers do; null for one that nobody can repeat without end.
 */
export function limitedWith(kind: string): readonly string[] | null {
  if (!unitKinds.some((one) => one === kind)) return null;
  return unitKinds.filter((one) => ofCrews.has(one) === ofCrews.has(kind));
}

/** The kinds of entries that a caller reads, who is not of its jobs. */
export const callerReads: ReadonlySet<string> = new Set(["created", "completed", "cancelled", "reopened"]);

/** Null where one of the numbers is unknown. */
export const pointOf = ({ x, y }: { readonly x: number | null; readonly y: number | null }) =>
  x === null || y === null ? null : { x, y };

/** What everybody who sees a call reads of it in the same way. */
export function contentOf(row: CallRow, type: TypeRow | null | undefined) {
  return {
    id: row.id,
    version: row.version,
    state: row.state as CallState,
    kind: row.kind as CallKind,
    type: typeTagOf(type),
    priority: row.priority,
    place: pointOf(row),
    postal: row.postal,
    createdAt: row.created_at,
    waitingSince: row.waiting_since,
    archived: row.archived_at !== null,
  };
}

interface NewCallParts {
  readonly jobs: readonly string[];
  readonly type: TypeRow | null;
  readonly labels: Pick<JobLabels, "label">;
}

/** A call that was just made, as a dispatcher of its jobs sees it, without what one may do. */
export function newCallOf(row: CallRow, { jobs, type, labels }: NewCallParts): Call {
  return {
    ...contentOf(row, type),
    message: row.message,
    jobs: jobs.map((name) => ({ name, label: labels.label(name) })),
    alerts: row.alerts,
    lastAlertAt: row.last_alert_at,
    ended: null,
    mergedInto: null,
    handOver: null,
    may: [],
    progress: "waiting",
    units: [],
    work: [],
  };
}
