import { Type, type Static } from "typebox";
import {
  access,
  defineGameRequest,
  defineNotification,
  defineOperation,
  gameRequestStates,
  Instant,
  Nullable,
  OneOf,
} from "#core/contract/index.ts";
import { citizenId, colleaguesErrors, colleaguesPermissions, reason } from "./colleagues.base.contract.ts";

/** A number of a grade; null for somebody who does not work in the job. */
const grade = Nullable(Type.Integer({ minimum: 0, maximum: 9999 }));

/** Asks the game server to hire, promote, demote or dismiss somebody. */
export const jobRequest = defineGameRequest({
  id: "colleagues.job",
  summary:
    "Give the character this grade in the job, or take the job away. Refuse it when the character does not stand in the job as `expectedGrade` says, or cannot be changed now",
  payload: Type.Object({
    identifier: Type.String({ description: "The character's ID, as the game server sent it" }),
    job: Type.String(),
    expectedGrade: Nullable(Type.Integer({ description: "As Rollcall last knew it; null for not in the job" })),
    grade: Nullable(Type.Integer({ description: "The new one; null to dismiss" })),
    reason: Type.String(),
    by: Type.String({ description: "Name of the character who asks" }),
  }),
  answer: Type.Object({}),
  expiresMs: 5 * 60_000,
});

/** Most of one person that no game server has answered yet. */
export const mostOpenMoves = 20;
/** Of the latest ones in an answer. */
export const mostShownMoves = 10;

export const moveKinds = ["hire", "promote", "demote", "dismiss"] as const;
export type MoveKind = (typeof moveKinds)[number];

export const JobMove = Type.Object({
  id: Type.String(),
  kind: OneOf(moveKinds),
  citizenId,
  /** Null for somebody who was removed for good. */
  name: Nullable(Type.String()),
  expectedGrade: grade,
  grade,
  reason: Type.String(),
  state: OneOf(gameRequestStates),
  /** Why the game server refused it. */
  answer: Nullable(Type.String()),
  askedAt: Instant,
  endedAt: Nullable(Instant),
});
export type JobMove = Static<typeof JobMove>;

const exampleMove: JobMove = {
  id: "01K00000000000000000000007",
  kind: "promote",
  citizenId: 12,
  name: "Mara Lind",
  expectedGrade: 1,
  grade: 2,
  reason: "Passed the exam",
  state: "open",
  answer: null,
  askedAt: 1_790_000_000_000,
  endedAt: null,
};

const { list, hire, promote, dismiss } = colleaguesPermissions;

export const listMoves = defineOperation({
  id: "colleagues.moves",
  method: "GET",
  path: "/api/colleagues/moves",
  summary: "What you asked the game server to change about the people of your job, and what you may ask of somebody",
  access: access.permission(list),
  rate: "read",
  input: { query: Type.Object({ citizenId: Type.Optional(citizenId) }) },
  output: Type.Object({
    /** Whether the operator has turned it on. */
    on: Type.Boolean(),
    /** Whether a game server fetches requests now. */
    connected: Type.Boolean(),
    /** Grades that the viewer may give, the lowest first; empty without a right to any. */
    grades: Type.Array(Type.Object({ grade: Type.Integer(), label: Type.String() })),
    may: Type.Array(OneOf(["hire", "promote", "dismiss"])),
    /** The own ones, the latest first; of one person where it was asked for. */
    items: Type.Array(JobMove, { maxItems: mostShownMoves }),
  }),
  example: {
    query: { citizenId: 12 },
    output: {
      on: true,
      connected: true,
      grades: [{ grade: 1, label: "Cadet" }],
      may: ["promote"],
      items: [exampleMove],
    },
  },
});

export const MoveRequest = Type.Object({
  citizenId,
  /** As the page shows it; null for somebody who does not work in the job. */
  expectedGrade: grade,
  /** Null to dismiss. */
  grade,
  reason,
});
export type MoveRequest = Static<typeof MoveRequest>;

/**
 * The rank of the person and of the new grade are checked: neither is above the own grade less one. Who hires must also be
 * allowed to find citizens (`citizens.list`).
 */
export const requestMove = defineOperation({
  id: "colleagues.requestMove",
  method: "POST",
  path: "/api/colleagues/moves",
  summary: "Ask the game server to hire, promote, demote or dismiss somebody",
  access: access.permission(hire, promote, dismiss),
  rate: "write",
  input: { body: MoveRequest },
  output: JobMove,
  errors: [
    colleaguesErrors.notFound,
    colleaguesErrors.citizenUnknown,
    colleaguesErrors.moveHidden,
    colleaguesErrors.notYours,
    colleaguesErrors.moveOfSelf,
    colleaguesErrors.moveOfHigher,
    colleaguesErrors.worksAlready,
    colleaguesErrors.otherGrade,
    colleaguesErrors.gradeTooHigh,
    colleaguesErrors.gradeUnknown,
    colleaguesErrors.movesOff,
    colleaguesErrors.noGameServer,
    colleaguesErrors.moveOpen,
    colleaguesErrors.tooManyMoves,
  ],
  example: {
    body: { citizenId: 12, expectedGrade: 1, grade: 2, reason: "Passed the exam" },
    output: exampleMove,
  },
});

const notification = (name: string, tone: "success" | "warning", params: readonly string[]) =>
  defineNotification({ id: `colleagues.${name}`, tone, params, channels: ["bell", "toast"] });

export const moveDone = notification("moveDone", "success", ["name"]);
export const moveRefused = notification("moveRefused", "warning", ["name", "reason"]);
/** Expired, or nobody knows what became of it. */
export const moveLost = notification("moveLost", "warning", ["name"]);
