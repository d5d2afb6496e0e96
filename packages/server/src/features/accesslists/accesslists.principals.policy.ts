import type { AccessEntry } from "./accesslists.contract.ts";

/**
 * Whom a grant names, as one short text: everybody, a citizen, a job from a grade, the members of a group, the holders
 * of a qualification, or the creator of an object while in the job in which it was created.
 */
export type Principal = string;

/** The highest grade that an entry can name. */
export const highestGrade = 1000;

export const everybody: Principal = "public";

export function creatorPrincipal(creatorId: number, creatorJob: string): Principal {
  return `creator:${creatorId}:${creatorJob}`;
}

export function principalOf({ subject, job, minGrade, id }: Pick<AccessEntry, "subject" | "job" | "minGrade" | "id">): Principal {
  return subject === "job" ? `job:${job}:${minGrade}` : `${subject}:${id}`;
}

/** A character in its job. */
export interface InJob {
  readonly characterId: number;
  readonly job: string;
  readonly grade: number;
}

/** All that a character is: itself, and its job from each grade up to its own. */
export function principalsOf({ characterId, job, grade }: InJob): Principal[] {
  const grades = Array.from({ length: Math.min(grade, highestGrade) + 1 }, (_, at) => `job:${job}:${at}`);
  return [everybody, `citizen:${characterId}`, creatorPrincipal(characterId, job), ...grades];
}

/** A row of an object's grants; level 0 blocks. */
export interface Grant {
  readonly principal: Principal;
  readonly level: number;
}

/** What has to be written for `before` to become `after`. */
export function changedGrants(before: readonly Grant[], after: readonly Grant[]): { removed: Principal[]; put: Grant[] } {
  const stored = new Map(before.map(({ principal, level }) => [principal, level]));
  const put = after.filter(({ principal, level }) => stored.get(principal) !== level);
  const kept = new Set(after.map(({ principal }) => principal));
  return { removed: [...stored.keys()].filter((principal) => !kept.has(principal)), put };
}
