import type { Actor, Viewer } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Call, CallKind, CallProgress, entryKinds, unitMoves, UnitOnCall } from "./calls.base.contract.ts";
import type { CallLevel, CallRole } from "./calls.policy.ts";

type UnitMove = (typeof unitMoves)[number];

/** A unit on a call, with what its state leaves to those who are in the unit and to dispatchers. */
export interface UnitAtWork extends Omit<UnitOnCall, "may"> {
  /** What the viewer may do as a member of the unit; nothing for somebody who is not, or not on duty. */
  readonly memberMay: readonly UnitMove[];
  readonly dispatcherMay: readonly UnitMove[];
}

/** What units do about one call, as one viewer sees it. */
export interface WorkOnCall {
  /** Null where nobody is asked and nobody works it. */
  readonly progress: Exclude<CallProgress, "waiting"> | null;
  /** A unit accepted it since it was opened. */
  readonly accepted: boolean;
  /** What the viewer is to the call by the unit of now. */
  readonly roles: readonly Extract<CallRole, "member" | "firstUnit">[];
  /** Those that are asked or work, the furthest first. */
  readonly units: readonly UnitAtWork[];
  /** The viewer's unit may take it by itself. */
  readonly takes: boolean;
  /** The viewer is on duty in a unit that is asked or works it. */
  readonly crew: boolean;
}

/** What decides about the work of a call. */
export interface CallWorked {
  readonly id: number;
  readonly open: boolean;
  readonly kind: CallKind;
  /** When it was opened last. */
  readonly waitingSince: number;
  readonly jobs: readonly string[];
}

/** Registered by the feature that knows which units work a call. */
export interface CallWork {
  /** By call, in a constant number of statements. */
  on(tx: Tx, viewer: Viewer, calls: readonly CallWorked[]): Promise<ReadonlyMap<number, WorkOnCall>>;
  /** The calls that the viewer's unit is asked for or works, while the viewer is on duty in it. */
  ofCrew(tx: Tx, viewer: Viewer): Promise<readonly number[]>;
  /** The latest calls that a unit accepted or took, also ended ones. */
  ofUnit(tx: Tx, unitId: number, limit: number): Promise<readonly number[]>;
  /** After somebody changed an open call: its crews read it again. */
  changed(tx: Tx, callId: number): Promise<void>;
  /** The jobs whose units are asked for a call or work it. */
  jobsAt(tx: Tx, callId: number): Promise<readonly string[]>;
  /** A unit works it now. */
  isWorked(tx: Tx, callId: number): Promise<boolean>;
  /** In the unit of work that ends a call, whose row it holds. */
  ended(tx: Tx, actor: Actor, callId: number, how: "completed" | "cancelled"): Promise<void>;
  /** A call becomes a part of another one, and its units and offers come along; both rows are held. */
  merged(tx: Tx, actor: Actor, from: Pick<CallFacts, "id" | "ref">, into: Pick<CallFacts, "id" | "ref">): Promise<void>;
  /** The same undone: units that have not gone on since return. False where one stays. */
  unmerged(tx: Tx, actor: Actor, fromId: number, intoId: number): Promise<boolean>;
  /** These units go on in another call, with their state; false where one of them neither is asked for the first one nor works it. */
  split(tx: Tx, fromId: number, intoId: number, unitIds: readonly number[]): Promise<boolean>;
}

/** Registered by the feature that knows who dispatches. */
export interface CallDesk {
  /** Who of a job is signed on as a dispatcher; ids of citizens. */
  signedOn(tx: Tx, job: string): Promise<readonly number[]>;
}

/** A call as other features decide by it. */
export interface CallFacts {
  readonly id: number;
  readonly ref: string;
  readonly kind: CallKind;
  readonly message: string;
  readonly priority: number;
  /** Since when it waits, which is when it was opened last. */
  readonly waitingSince: number;
  readonly jobs: readonly { readonly job: string; readonly level: string }[];
  /** Jobs that have handed it over, and whose units are still at it. */
  readonly leaving: readonly { readonly job: string; readonly to: string; readonly since: number }[];
}

/** What a viewer is to a call. */
export interface CallStandingOf {
  /** Null for a caller who is not of its jobs or its crews. */
  readonly level: CallLevel | null;
  readonly roles: readonly CallRole[];
}

/** A line of the timeline. */
export interface NewEntry {
  readonly kind: (typeof entryKinds)[number];
  readonly text?: string | null;
  /** For members of this job alone. */
  readonly job?: string | null;
  readonly citizenId?: number;
  /** The other call that it is about; who does not see that one does not read the line. */
  readonly other?: number;
}

/** A person in danger, for these jobs; all of them dispatch it. */
export interface NewPanicCall {
  /** The operation that made it, for the audit log. */
  readonly action: string;
  readonly jobs: readonly string[];
  readonly citizen: { readonly id: number; readonly name: string };
  readonly place: { readonly x: number; readonly y: number } | null;
  readonly source: string | null;
}

/** How the call of a panic ends. */
export interface PanicCallEnd {
  readonly action: string;
  readonly state: "completed" | "cancelled";
  readonly text: string | null;
}

export interface CallsApi {
  registerWork(work: CallWork): void;
  registerDesk(desk: CallDesk): void;
  /** Makes the call of a panic, past folding and its limits; answers its id. */
  raise(tx: Tx, actor: Actor, panic: NewPanicCall): Promise<number>;
  /** Ends the call of a panic, unless it has ended. */
  endPanic(tx: Tx, actor: Actor, id: number, end: PanicCallEnd): Promise<void>;
  /** A call that is open, locked; throws what people read who do something to one that has ended or that they do not see. */
  openFor(tx: Tx, viewer: Viewer, id: number): Promise<CallFacts & CallStandingOf>;
  /** The same for the server itself; null for one that has ended. */
  open(tx: Tx, id: number): Promise<CallFacts | null>;
  /** Of these calls, those that the viewer sees by the job or the unit, as the viewer sees them; in the order of their ids. */
  shown(tx: Tx, viewer: Viewer, ids: readonly number[]): Promise<Call[]>;
  /** The newest open one of a job, for the demo city; null for none. */
  newest(tx: Tx, job: string): Promise<number | null>;
  /** A unit did something about a call: a line in its timeline. `touched` follows once in the unit of work. */
  happened(tx: Tx, actor: Actor, id: number, entry: NewEntry): Promise<void>;
  /** After something happened in a call: its timer of idleness begins again, and pages read it again. */
  touched(tx: Tx, id: number): Promise<void>;
  /** Completes an open call, whose last unit is done; a panic waits for somebody to end it. */
  complete(tx: Tx, actor: Actor, id: number): Promise<void>;
}

export const callsApi = apiToken<CallsApi>("calls");
