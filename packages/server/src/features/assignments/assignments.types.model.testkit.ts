// The state, the commands and the results of the dispatch model.
export type Id = string;
export type Actor = Id; // a person, or SYSTEM
export const SYSTEM = "system";

export type Mode = "manual" | "central" | "simplified";
export type Level = "none" | "view" | "participate" | "dispatch";
export type StatusKind = "available" | "busy" | "break" | "unavailable";
export type CallState = "open" | "completed" | "cancelled" | "merged";
export type Working = "accepted" | "enRoute" | "onScene";
export type Ended = "done" | "declined" | "expired" | "withdrawn" | "left";
export type AssignmentState = "offered" | Working | Ended;
export type Reason = "notAllowed" | "wrongState" | "notFound" | "overtaken" | "invalid";
export type Place = { readonly x: number; readonly y: number };

export type Job = {
  readonly name: Id;
  readonly mode: Mode;
  readonly fallback: Mode;
  readonly isPublic: boolean;
  readonly completeWithLastWork: boolean;
  readonly minimumCrewMakesAvailable: boolean;
  readonly askOnEnd: boolean;
};

/** What one job lets another do with its calls (section 2, Level). */
export type Offer = {
  readonly from: Id;
  readonly to: Id;
  readonly level: Exclude<Level, "none"> | "block";
  readonly minimumGrade: number;
  readonly expiresAt: number | null;
};

export type Person = {
  readonly id: Id;
  readonly job: Id;
  readonly grade: number;
  readonly onDuty: boolean;
  readonly mayDispatch: boolean;
  readonly mayCreate: boolean;
  readonly desk: "open" | "never" | { readonly closedAt: number };
};

export type Unit = {
  readonly id: Id;
  readonly job: Id;
  readonly minimumCrew: number;
  readonly isStatic: boolean;
  readonly temporary: boolean;
  readonly dissolved: boolean;
  readonly status: StatusKind;
  readonly remembered: StatusKind | null;
  readonly crew: readonly Id[];
  readonly emptySince: number | null;
  /** Rises with each status that a person sets: an undone merge asks for it. */
  readonly touched: number;
};

export type Caller = { readonly person: Id | null; readonly anonymous: boolean };
/** Both ends are equal except where the specification does not say whether the timer began again. */
export type Range = { readonly from: number; readonly to: number };

export type Moved = {
  readonly unit: Id;
  readonly assignment: Id;
  readonly since: number;
  readonly version: number;
  readonly touched: number;
  readonly own: Progress;
  /** What the survivor had for the same unit before, where the unit worked both. */
  readonly twin: Progress | null;
};
export type Progress = { readonly state: AssignmentState; readonly needsHelp: boolean; readonly deadline: number | null };

export type Merge = {
  readonly into: Id;
  readonly moved: readonly Moved[];
  readonly priority: number;
  readonly jobs: readonly Id[];
  readonly place: Place | null;
};

export type Handover = { readonly from: Id; readonly to: Id; readonly due: number; readonly reported: boolean };

export type Call = {
  readonly id: Id;
  readonly order: number; // lower is older
  readonly type: string;
  readonly panic: boolean;
  readonly state: CallState;
  readonly ended: "completed" | "cancelled" | "tooOld" | "merged" | null;
  readonly endedAt: number | null;
  readonly createdAt: number;
  readonly jobs: readonly Id[];
  readonly viewers: readonly Id[]; // jobs that handed it over and keep *view*
  readonly leaving: readonly Id[]; // jobs that leave when their units have ended
  readonly priority: number;
  readonly place: Place | null;
  readonly callers: readonly Caller[]; // one an alert; null where the number is not specified
  readonly callersKnown: boolean;
  readonly lastAlert: number | null;
  readonly notes: number;
  readonly waitSince: number | null; // null: the specification does not say
  readonly idle: Range | null;
  readonly reopenedAt: number | null;
  readonly accepted: readonly { readonly unit: Id; readonly at: number; readonly call: Id }[];
  readonly workedAtEnd: readonly Id[];
  readonly links: readonly Id[];
  readonly splitFrom: Id | null;
  readonly merge: Merge | null;
  readonly handover: Handover | null;
};

export type Assignment = {
  readonly id: Id;
  readonly call: Id;
  readonly unit: Id;
  readonly state: AssignmentState;
  readonly needsHelp: boolean;
  readonly deadline: number | null;
  readonly version: number;
  readonly since: number; // order of the last change of state
  readonly helpSince: number; // order of the last change of the flag
  readonly moved: boolean; // by a merge, an undo or a split: its identity is not specified
  readonly blurred: boolean; // united from two: what an undo makes of it is not specified
};

export type Alert = { readonly person: Id; readonly at: number; readonly kind: "call" | "uncertain" | "panic" | "panicAgain" };

export type World = {
  readonly now: number;
  readonly next: number;
  readonly jobs: Readonly<Record<Id, Job>>;
  readonly people: Readonly<Record<Id, Person>>;
  readonly units: Readonly<Record<Id, Unit>>;
  readonly calls: Readonly<Record<Id, Call>>;
  readonly assignments: Readonly<Record<Id, Assignment>>;
  readonly offers: readonly Offer[];
  readonly alerts: readonly Alert[];
};

type By = { readonly by: Actor };
type OnCall = By & { readonly call: Id };
/** `seen` is the version of the model; a harness keeps the real version beside it. */
type OnAssignment = By & { readonly assignment: Id; readonly seen: number };

export type Command =
  | (By & {
      readonly kind: "create";
      readonly caller: Id | null;
      readonly anonymous: boolean;
      readonly type: string;
      readonly jobs: readonly Id[];
      readonly place: Place | null;
      readonly priority: number;
    })
  | (By & { readonly kind: "panic" })
  | (OnCall & { readonly kind: "edit" | "note" })
  | (OnCall & { readonly kind: "priority"; readonly priority: number })
  | (OnCall & { readonly kind: "complete" | "callerCancel" | "undo" })
  | (OnCall & { readonly kind: "cancel" | "reopen"; readonly reason: string })
  | (OnCall & { readonly kind: "merge"; readonly into: Id; readonly uniteJobs: boolean })
  | (OnCall & { readonly kind: "split"; readonly units: readonly Id[]; readonly notes: number })
  | (OnCall & { readonly kind: "link" | "unlink"; readonly other: Id })
  | (OnCall & { readonly kind: "handOver"; readonly from: Id; readonly to: Id })
  | (OnCall & { readonly kind: "answerHandover"; readonly accept: boolean })
  | (OnCall & { readonly kind: "offer" | "assign"; readonly unit: Id })
  | (OnCall & { readonly kind: "take" })
  | (OnAssignment & { readonly kind: "accept" | "decline" | "done" | "withdraw" })
  | (OnAssignment & { readonly kind: "progress"; readonly to: Working })
  | (OnAssignment & { readonly kind: "needHelp"; readonly on: boolean })
  | (OnAssignment & { readonly kind: "handBack"; readonly reason: string })
  | (By & {
      readonly kind: "unitStatus";
      readonly unit: Id;
      readonly status: StatusKind;
      readonly choice: "stay" | "handBack" | null;
    })
  | (By & { readonly kind: "join"; readonly unit: Id })
  | (By & { readonly kind: "leave" })
  | (By & { readonly kind: "move"; readonly person: Id; readonly unit: Id | null })
  | (By & { readonly kind: "duty"; readonly on: boolean })
  | (By & { readonly kind: "desk"; readonly open: boolean })
  | (By & { readonly kind: "dissolve"; readonly unit: Id })
  | { readonly kind: "advance"; readonly seconds: number };

export type CommandOf<K extends Command["kind"]> = Extract<Command, { readonly kind: K }>;

/** `reasons` holds every reason that applies: which one is named first is not specified. */
export type Outcome =
  | { readonly kind: "done"; readonly calls: readonly Id[]; readonly assignments: readonly Id[] }
  | { readonly kind: "refused"; readonly reasons: readonly Reason[] }
  | { readonly kind: "either"; readonly of: readonly Result[] };
export type Result = { readonly world: World; readonly outcome: Outcome };
