import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { covers, type Reach } from "#core/rank.ts";
import { citizensPermissions } from "#features/citizens/citizens.contract.ts";
import { colleaguesErrors, colleaguesPermissions } from "./colleagues.base.contract.ts";
import type { MoveKind } from "./colleagues.moves.contract.ts";
import { reachIn, type Subject } from "./colleagues.policy.ts";

type Standing = Pick<Viewer, "characterId" | "job" | "grade" | "rights">;
type Right = "hire" | "promote" | "dismiss";

const rightOf: Readonly<Record<MoveKind, Right>> = {
  hire: "hire",
  promote: "promote",
  demote: "promote",
  dismiss: "dismiss",
};

/** Null for grades between which nothing would change. */
export function kindOf(expected: number | null, grade: number | null): MoveKind | null {
  if (expected === grade) return null;
  if (expected === null) return "hire";
  if (grade === null) return "dismiss";
  return grade > expected ? "promote" : "demote";
}

/** The highest grade that the viewer may give, and of people whom they may move. */
export const highestMoved = ({ grade }: Pick<Viewer, "grade">): number => grade - 1;

function reachOfMoving(viewer: Standing, right: "promote" | "dismiss"): Reach {
  const { any, upTo } = reachIn(viewer, right);
  const most = highestMoved(viewer);
  return { any: false, own: false, upTo: any ? most : upTo === null ? null : Math.min(upTo, most) };
}

function reaches(viewer: Standing, right: "promote" | "dismiss", { id, grade }: Pick<Subject, "id" | "grade">): boolean {
  return covers(reachOfMoving(viewer, right), viewer, { characterId: id, job: viewer.job, grade });
}

/** What may be asked for of somebody; null for a person who does not work in the job. */
export function movesAllowed(viewer: Standing, subject: Pick<Subject, "id" | "grade"> | null): Right[] {
  if (highestMoved(viewer) < 0) return [];
  if (subject === null) return viewer.rights.has(colleaguesPermissions.hire.id) ? ["hire"] : [];
  return (["promote", "dismiss"] as const).filter((right) => reaches(viewer, right, subject));
}

/** Who does not find citizens would learn their names, and that they exist, by asking for one after the other. */
export function requireFinding({ rights, job }: Pick<Viewer, "rights" | "job">): void {
  const permission = citizensPermissions.list.id;
  if (!rights.has(permission)) throw new AppError(colleaguesErrors.moveHidden, { params: { permission, job } });
}

/** Throws where no role could reach somebody: for oneself, and people who are not below the viewer. */
function requireBelow(viewer: Standing, { id, grade, name }: Subject): void {
  if (id === viewer.characterId) throw new AppError(colleaguesErrors.moveOfSelf);
  if (grade > highestMoved(viewer)) throw new AppError(colleaguesErrors.moveOfHigher, { params: { name } });
}

/** Throws what is missing. `subject` is null for a person who does not work in the job. */
export function requireMove(viewer: Standing, kind: MoveKind, subject: Subject | null, grade: number | null): void {
  const right = rightOf[kind];
  const permission = colleaguesPermissions[right].id;
  const { job } = viewer;
  if (!viewer.rights.has(permission)) throw new AppError(colleaguesErrors.moveHidden, { params: { permission, job } });
  if (right !== "hire" && subject !== null) requireBelow(viewer, subject);
  if (right !== "hire" && subject !== null && !reaches(viewer, right, subject))
    throw new AppError(colleaguesErrors.notYours, { params: { permission, name: subject.name, job } });
  if (grade !== null && grade > highestMoved(viewer)) throw new AppError(colleaguesErrors.gradeTooHigh, { params: { job } });
}
