import type { Actor } from "../actor.ts";
import type { ApprovalDefinition } from "../contract/approval.ts";
import type { Tx } from "./database.ts";

/** Who may decide a step. Without `job`, a right counts in every job; `grades` narrows it to people of these grades there. */
export type Decider =
  | { readonly by: "configAdmins" }
  /** Who is in job admin in this job. */
  | { readonly by: "jobAdmins"; readonly job: string }
  | { readonly by: "right"; readonly permission: string; readonly job?: string }
  | { readonly by: "right"; readonly permission: string; readonly job: string; readonly grades: DecidingGrades }
  | { readonly by: "grade"; readonly job: string; readonly minGrade: number }
  | { readonly by: "citizen"; readonly id: number };

/** Both included. */
export interface DecidingGrades {
  readonly from: number;
  readonly to: number;
}

/** One step after the other; any one of a step's deciders decides it. */
export type ApprovalSteps = readonly (readonly Decider[])[];

export interface Requester {
  readonly accountId: number;
  /** Null when it concerns the account. */
  readonly characterId: number | null;
  readonly name: string;
}

export interface NewApproval {
  /** What it is about, unique within the kind: at most one request of a subject is open. At most 100 characters. */
  readonly subject: string;
  /** Its name as people read it in notifications, the same in every language. At most 100 characters. */
  readonly about: string;
  /**
   * What exactly would be approved, for example a hash. While a request of the subject with this claim is
   * open, or was the last one and was refused, another one is not created. At most 64 characters.
   */
  readonly claim?: string;
  readonly params: Readonly<Record<string, string | number>>;
  /** Path of the page in the application that shows the subject. */
  readonly link?: string;
  /** Never decides it; the actor, when it is a person, if left out. */
  readonly requester?: Requester;
  /** Who can decide is notified by the caller. */
  readonly quiet?: boolean;
  /** Also when the same claim was refused. */
  readonly again?: boolean;
}

export interface ApprovalRequest {
  readonly id: number;
  readonly subject: string;
  readonly about: string;
  readonly claim: string | null;
  readonly params: Readonly<Record<string, string | number>>;
  readonly requester: Requester | null;
}

/** Who decides the present step of a request as things are now. */
export interface DecidersNow {
  readonly deciders: readonly Decider[];
  /** Accounts that never decide it, as if they had asked for it. */
  readonly never: readonly number[];
}

/** What those who may read a request see besides its text; `label` is the key of a text. */
export interface ApprovalFact {
  readonly label: string;
  readonly values: readonly string[];
}

/**
 * Thrown by `decided` when what was asked for can no longer be carried out: the request stays open, and the person who
 * decides reads why. `reason` is the key of a text, which everybody who decides may read.
 */
export class ApprovalImpossible extends Error {
  override name = "ApprovalImpossible";
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

export type ApprovalOutcome = "approved" | "refused" | "withdrawn" | "expired";

export type Verdict = { readonly approve: true } | { readonly approve: false; readonly reason: string };

/** What a feature does with the requests of one of its kinds. */
export interface ApprovalHandler {
  readonly approval: ApprovalDefinition;
  /** The chain of a new request; at least one step, each with at least one decider. */
  steps(tx: Tx, request: NewApproval): Promise<ApprovalSteps>;
  /**
   * Locks the subjects that `decided` writes, before their requests are locked: the order in which the feature itself
   * takes both locks, so that none waits for the other for ever. Null where it never takes both. Kinds that lock the same
   * rows share one function, which is then called once for the subjects of all of them.
   */
  readonly lock: ((tx: Tx, subjects: readonly string[]) => Promise<void>) | null;
  /**
   * Where who may decide can change while a request waits, for any number of open requests in a constant number of
   * statements: somebody decides only if the chain of the request and this let them. Left out: the chain alone decides.
   */
  decidersNow?(tx: Tx, requests: readonly ApprovalRequest[]): Promise<ReadonlyMap<number, DecidersNow>>;
  /** What those who decide have to know, as it is now. */
  facts?(tx: Tx, request: ApprovalRequest): Promise<readonly ApprovalFact[]>;
  /**
   * In the unit of work of the decision, with the person who made it. Called for every outcome that did not
   * come from a call of `withdraw` or `request` by the feature itself. What it throws undoes the decision.
   * `reason` is that of a refusal.
   */
  decided(tx: Tx, actor: Actor, request: ApprovalRequest, outcome: ApprovalOutcome, reason: string | null): Promise<void>;
}

/** Requests that wait for other people. Callers lock the subject first, so that two units of work take turns. */
export interface Approvals {
  /** Returns the id of the request that is open now; null when the same claim was refused. A new one takes the place of an open one. */
  request(tx: Tx, actor: Actor, approval: ApprovalDefinition, request: NewApproval): Promise<number | null>;
  /** False when none is open. */
  withdraw(tx: Tx, actor: Actor, approval: ApprovalDefinition, subject: string): Promise<boolean>;
  /**
   * Decides the present step of the open request of a subject. The command line may decide everything; others
   * get the refusals of the operations. Throws `approvals.notFound` when none is open.
   */
  decide(tx: Tx, actor: Actor, approval: ApprovalDefinition, subject: string, verdict: Verdict): Promise<void>;
  /** More people decide the present step of the open request of a subject, and are notified. False when none is open. */
  widen(tx: Tx, actor: Actor, approval: ApprovalDefinition, subject: string, deciders: readonly Decider[]): Promise<boolean>;
  /** Subjects of the open requests of a kind that the actor may decide now, the oldest first; at most `limit`. */
  waitingFor(tx: Tx, actor: Actor, approval: ApprovalDefinition, limit: number): Promise<string[]>;
}
