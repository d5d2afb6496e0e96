import type { Viewer } from "#core/actor.ts";
import type { PermissionDefinition } from "#core/contract/index.ts";
import { accessPermissions } from "./access.shapes.contract.ts";
import { type Grant, type Grants, type GrantedRights, heldRights, type Limits, type Role, type Rules } from "./access.policy.ts";
import { isValidValue, isSubset, knownValue } from "./access.values.policy.ts";

type Editor = Pick<Viewer, "job" | "grade" | "jobAdmin" | "rights">;

/** The viewer sees roles of their own job, and with job admin those of every job. */
export function seesJob(viewer: Editor, job: string): boolean {
  return viewer.jobAdmin !== null || viewer.job === job;
}

/** Without job admin, only grades up to the viewer's own. */
export function seesRole(viewer: Editor, job: string, grade: number): boolean {
  return seesJob(viewer, job) && (viewer.jobAdmin !== null || grade <= viewer.grade);
}

/** Without job admin, only grades below the viewer's own: equals do not decide about each other. */
export function editsRole(viewer: Editor, job: string, grade: number): boolean {
  if (!seesRole(viewer, job, grade) || !viewer.rights.has(accessPermissions.editRoles.id)) return false;
  return viewer.jobAdmin !== null || grade < viewer.grade;
}

/** Of these grades of a job that the viewer sees, those whose people they may see: without job admin, up to their own grade. */
export function nameableGrades<R extends { readonly from: number; readonly to: number | null }>(
  viewer: Editor,
  ranges: readonly R[],
): { from: number; to: number | null }[] {
  return ranges.flatMap(({ from, to }) => {
    if (viewer.jobAdmin !== null) return [{ from, to }];
    return from > viewer.grade ? [] : [{ from, to: Math.min(to ?? viewer.grade, viewer.grade) }];
  });
}

/** `roles` with one of them replaced, or removed when `grants` is null. */
export function withRole(roles: readonly Role[], job: string, grade: number, grants: Grants | null): Role[] {
  const others = roles.filter((role) => role.job !== job || role.grade !== grade);
  return grants === null ? others : [...others, { job, grade, grants }];
}

/** What `after` holds and none of `given` does, each as `permission` or `permission attribute`. */
function beyond(after: GrantedRights, given: readonly GrantedRights[]): string[] {
  return Object.entries(after).flatMap(([permission, attributes]) => {
    const holders = given.map((held) => held[permission]).filter((held) => held !== undefined);
    if (holders.length === 0) return [permission];
    const values = (name: string) => holders.flatMap((held) => (held[name] === undefined ? [] : [held[name]]));
    return Object.entries(attributes)
      .filter(([name, value]) => !isSubset(value, values(name)))
      .map(([name]) => `${permission} ${name}`);
  });
}

/**
 * What a change would give to any grade of the job that neither the grade held before nor the editor
 * holds: by a grant, by removing a refusal, or once the limits are raised. Empty when the editor may
 * make the change.
 */
export function escalations(rules: Rules, after: readonly Role[], job: string, grade: number, editor: GrantedRights): string[] {
  const above = [...rules.roles, ...after].filter((role) => role.job === job && role.grade > grade).map((role) => role.grade);
  const found = [rules.limits, new Map<string, Limits>()].flatMap((limits) =>
    [grade, ...new Set(above)].flatMap((at) => {
      const who = { job, grade: at, jobAdmin: false };
      const before = heldRights({ ...rules, limits }, who);
      return beyond(heldRights({ ...rules, roles: after, limits }, who), [before, editor]);
    }),
  );
  return [...new Set(found)];
}

/**
 * What a change of a lower grade would take from the editor, whose grade inherits it and who could
 * not give it back. Named as in `escalations`.
 */
export function rightsEditorLoses(rules: Rules, after: readonly Role[], editor: Editor): string[] {
  if (editor.jobAdmin !== null) return [];
  const who = { job: editor.job, grade: editor.grade, jobAdmin: false };
  return beyond(heldRights(rules, who), [heldRights({ ...rules, roles: after }, who)]);
}

export interface GrantDifference {
  readonly permission: string;
  readonly before: Grant | null;
  readonly after: Grant | null;
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const sorted = (grant: Grant | undefined): Grant | null =>
  grant === undefined
    ? null
    : {
        allow: grant.allow,
        attributes: Object.fromEntries(Object.entries(grant.attributes).toSorted(([a], [b]) => a.localeCompare(b))),
      };

/** The permissions about which two roles differ. */
export function differences(before: Grants | null, after: Grants | null): GrantDifference[] {
  const permissions = new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])]);
  return [...permissions].toSorted().flatMap((permission) => {
    const [was, is] = [sorted(before?.get(permission)), sorted(after?.get(permission))];
    return same(was, is) ? [] : [{ permission, before: was, after: is }];
  });
}

/** `grants` with these differences undone. */
export function revertGrants(grants: Grants, changes: readonly GrantDifference[]): Grants {
  const result = new Map(grants);
  for (const { permission, before } of changes) {
    if (before === null) result.delete(permission);
    else result.set(permission, before);
  }
  return result;
}

/** The grants that this version knows: a newer version may have written the role. */
export function knownGrants(permissions: readonly PermissionDefinition[], grants: Grants): Grants {
  return new Map(
    permissions.flatMap(({ id, attributes: known }) => {
      const grant = grants.get(id);
      if (!grant) return [];
      const attributes = Object.entries(grant.attributes).flatMap(([name, value]) => {
        const definition = known[name];
        if (!definition) return [];
        const left = knownValue(definition, value);
        return isValidValue(definition, left) ? [[name, left] as const] : [];
      });
      return [[id, { allow: grant.allow, attributes: Object.fromEntries(attributes) }] as const];
    }),
  );
}
