import { AppError } from "#core/errors.ts";
import { allowedEvents, nextState } from "#core/contract/index.ts";
import type { WorkOnCall } from "#features/calls/calls.api.ts";
import { unitMoves, unitProgress } from "#features/calls/calls.contract.ts";
import { assignmentsErrors, graceMs, type Mode, offerMs, urgentOfferMs } from "./assignments.base.contract.ts";
import {
  type AssignmentCommand,
  assignmentMachine,
  type AssignmentState,
  type OpenState,
  type WorkingState,
  workingStates,
} from "./assignments.machine.ts";

type UnitMove = (typeof unitMoves)[number];

/** What decides about an assignment, as it is stored. */
export interface AssignmentFacts {
  readonly unit_id: number;
  readonly state: string;
  readonly ended_marker: number;
  readonly needs_help: number;
  readonly accepted_at: number | null;
  readonly state_at: number;
  readonly until: number | null;
}

const events: Readonly<Record<UnitMove, AssignmentCommand>> = {
  accept: "accept",
  decline: "decline",
  withdraw: "withdraw",
  progress: "setEnRoute",
  finish: "finish",
  handBack: "handBack",
};

export const progressEvents: Readonly<Record<WorkingState, AssignmentCommand>> = {
  accepted: "setAccepted",
  enRoute: "setEnRoute",
  onScene: "setOnScene",
};

const ofMembers: ReadonlySet<UnitMove> = new Set(["accept", "decline", "progress", "finish", "handBack"]);
const ofDispatchers: ReadonlySet<UnitMove> = new Set(["withdraw", "progress", "finish", "handBack"]);

const isWorking = (state: string): state is WorkingState => workingStates.some((one) => one === state);
const isOpenState = (state: string): state is OpenState => unitProgress.some((one) => one === state);

function allowed(state: string, move: UnitMove): boolean {
  if (move === "withdraw" && state !== "offered") return false;
  return allowedEvents(assignmentMachine, state as AssignmentState).includes(events[move]);
}

/** What a member on duty may do; with central command dispatchers alone take work from a unit. */
export function memberMoves(state: string, mode: Mode): UnitMove[] {
  return unitMoves.filter((move) => ofMembers.has(move) && allowed(state, move) && !(move === "handBack" && mode === "central"));
}

export function dispatcherMoves(state: string): UnitMove[] {
  return unitMoves.filter((move) => ofDispatchers.has(move) && allowed(state, move));
}

/** The state after a command; null where the table has none. */
export function after(state: string, command: AssignmentCommand): AssignmentState | null {
  return nextState(assignmentMachine, state as AssignmentState, command);
}

/** Throws where a command does not fit the state, or comes after the end of an offer. */
export function requireFits(
  { state, until }: Pick<AssignmentFacts, "state" | "until">,
  command: AssignmentCommand,
  params: { readonly unit: string; readonly id: string },
  now: number,
): void {
  if (command === "accept" && until !== null && now > until + graceMs)
    throw new AppError(assignmentsErrors.notOffered, { params });
  const isOffer = command === "accept" || command === "decline" || command === "withdraw";
  // What somebody works is handed back, and never withdrawn.
  if (isOffer && state !== "offered") throw new AppError(assignmentsErrors.notOffered, { params });
  if (after(state, command) === null) throw new AppError(assignmentsErrors.notWorking, { params });
}

const rank = (state: string) => unitProgress.findIndex((one) => one === state);

/** Of two assignments of one unit, the one that it is further with; of equal ones the first. */
export const furtherOf = <T extends Pick<AssignmentFacts, "state">>(one: T, other: T): readonly [T, T] =>
  rank(other.state) > rank(one.state) ? [other, one] : [one, other];

/** The furthest first; of the same progress the longest there. */
export function inOrder<T extends AssignmentFacts>(rows: readonly T[]): T[] {
  return rows
    .filter((row) => row.ended_marker === 0 && isOpenState(row.state))
    .toSorted((a, b) => rank(b.state) - rank(a.state) || a.state_at - b.state_at || a.unit_id - b.unit_id);
}

/** What a call shows; null where it waits. A unit that needs help is shown before all others. */
export function progressOf(rows: readonly AssignmentFacts[]): WorkOnCall["progress"] {
  const [furthest, ...more] = inOrder(rows);
  if (furthest === undefined) return null;
  if ([furthest, ...more].some((row) => row.needs_help === 1)) return "needsHelp";
  return furthest.state as OpenState;
}

/** What a unit is to a call, and whether any accepted it, since it was opened. Once it has ended, so are those that worked it. */
export function standingOf(
  rows: readonly AssignmentFacts[],
  unitId: number | null,
  { openedAt, open }: { readonly openedAt: number; readonly open: boolean },
): Pick<WorkOnCall, "accepted" | "roles"> {
  const accepted = rows
    .filter(({ accepted_at: at }) => at !== null && at >= openedAt)
    .toSorted((a, b) => a.accepted_at! - b.accepted_at!);
  // Work that was accepted is withdrawn by the end of a call alone.
  const counting = accepted.filter(({ state }) => isWorking(state) || (!open && (state === "done" || state === "withdrawn")));
  const isMember = unitId !== null && counting.some((row) => row.unit_id === unitId);
  const isFirst = isMember && counting.find(({ state }) => isWorking(state))?.unit_id === unitId;
  return {
    accepted: accepted.length > 0,
    roles: [...(isMember ? (["member"] as const) : []), ...(isFirst ? (["firstUnit"] as const) : [])],
  };
}

/** How long an offer is open. Milliseconds. */
export const offerWindow = (priority: number): number => (priority === 1 ? urgentOfferMs : offerMs);

/** Whether members take calls by themselves. */
export const takesAlone = (mode: Mode): boolean => mode !== "central";

export { isWorking as isWorkingState };
