import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import {
  type GroupAbility,
  groupAbilities,
  type GroupRule,
  gradeRule,
  jobgroupsErrors,
  jobgroupsPermissions,
} from "./jobgroups.base.contract.ts";

type Standing = Pick<Viewer, "job" | "rights">;

/** How the viewer stands to a group. */
export interface Relation {
  readonly own: boolean;
  readonly leads: boolean;
}

const { list, manage, members } = jobgroupsPermissions;

/** Whether the viewer sees the groups of the job in which they have no part. */
export const seesAll = ({ rights }: Pick<Viewer, "rights">): boolean => [list, manage, members].some(({ id }) => rights.has(id));

export const isVisible = (viewer: Pick<Viewer, "rights">, { own, leads }: Relation): boolean => own || leads || seesAll(viewer);

/** What opens each ability, in the order in which a refusal names it. Leaders need no right for the first three. */
const opens = {
  see: { rights: [list, members, manage], leaders: true },
  explain: { rights: [members, manage], leaders: true },
  hand: { rights: [members], leaders: true },
  exclude: { rights: [members], leaders: false },
  manage: { rights: [manage], leaders: false },
} as const;

export function may({ rights }: Pick<Viewer, "rights">, ability: GroupAbility, { leads }: Pick<Relation, "leads">): boolean {
  const { rights: wanted, leaders } = opens[ability];
  return (leads && leaders) || wanted.some(({ id }) => rights.has(id));
}

export const abilitiesOf = (viewer: Pick<Viewer, "rights">, relation: Pick<Relation, "leads">): GroupAbility[] =>
  groupAbilities.filter((one) => may(viewer, one, relation));

/** Throws what is missing. */
export function requireAbility(viewer: Standing, ability: GroupAbility, relation: Pick<Relation, "leads">): void {
  if (may(viewer, ability, relation)) return;
  throw rightMissing(viewer, opens[ability].rights[0].id);
}

export const rightMissing = ({ job }: Pick<Viewer, "job">, permission: string): AppError =>
  new AppError(jobgroupsErrors.rightMissing, { params: { permission, job } });

/** Grades have a range, other rules an object; throws otherwise. */
export function requireShape({ kind, id, from, to }: GroupRule): void {
  const isRange = from !== null && (to === null || to >= from);
  if (kind === gradeRule && (!isRange || id !== null)) throw new AppError(jobgroupsErrors.gradesWrong);
  if (kind !== gradeRule && (id === null || from !== null || to !== null))
    throw new AppError(jobgroupsErrors.ruleUnknown, { params: { kind } });
}
