import type { AttributeValue } from "#core/contract/index.ts";
import { defaultJob, type GrantedRights, heldRights, type Rules } from "./access.policy.ts";
import { isSubset } from "./access.values.policy.ts";

/** Grades from one up to another, or to the highest, whose permissions a change alters in the same way. */
export interface AffectedGrades {
  readonly from: number;
  /** Null where it goes up to the highest grade. */
  readonly to: number | null;
  readonly lost: readonly string[];
  readonly gained: readonly string[];
  /** Held before and after, with other values. */
  readonly altered: readonly string[];
}

const sameValue = (a: AttributeValue | undefined, b: AttributeValue | undefined) =>
  a === undefined || b === undefined ? a === b : isSubset(a, [b]) && isSubset(b, [a]);

function isAltered(before: GrantedRights, after: GrantedRights, permission: string): boolean {
  const [was, is] = [before[permission], after[permission]];
  if (was === undefined || is === undefined) return false;
  return Object.keys({ ...was, ...is }).some((name) => !sameValue(was[name], is[name]));
}

/**
 * The grades of a job for which a change alters what they hold in effect, lowest first. Permissions are the same from
 * the grade of one role up to that of the next, so only these grades are compared, also where the game has no such grade.
 */
export function affectedGrades(before: Rules, after: Rules, job: string): AffectedGrades[] {
  if (job === defaultJob) return [];
  const ofJob = [...before.roles, ...after.roles].filter((role) => role.job === job);
  const steps = [...new Set([0, ...ofJob.map(({ grade }) => grade)])].toSorted((a, b) => a - b);
  return steps.flatMap((grade, index): AffectedGrades[] => {
    const who = { job, grade, jobAdmin: false };
    const [was, is] = [heldRights(before, who), heldRights(after, who)];
    const lost = Object.keys(was).filter((permission) => is[permission] === undefined);
    const gained = Object.keys(is).filter((permission) => was[permission] === undefined);
    const altered = Object.keys(was).filter((permission) => isAltered(was, is, permission));
    if (lost.length + gained.length + altered.length === 0) return [];
    const next = steps[index + 1];
    return [{ from: grade, to: next === undefined ? null : next - 1, lost, gained, altered }];
  });
}

/** As many as a notification names. */
const mostNamed = 5;

/** What a change does to the permissions of one grade, short enough for an event: the first ones, and how many there are. */
export function namedChanges({ gained, lost, altered }: Pick<AffectedGrades, "gained" | "lost" | "altered">) {
  const all = { gained, lost, altered };
  const some = Object.entries(all).filter(([, ids]) => ids.length > 0);
  return Object.fromEntries(some.map(([how, ids]) => [how, { first: ids.slice(0, mostNamed), count: ids.length }]));
}

/** All permissions that a change alters for anybody, each once. */
export function alteredPermissions(affected: readonly AffectedGrades[]) {
  const all = (name: "lost" | "gained" | "altered") => [...new Set(affected.flatMap((grades) => grades[name]))];
  return { lost: all("lost"), gained: all("gained"), altered: all("altered") };
}
