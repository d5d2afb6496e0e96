import type { Rights } from "#core/actor.ts";
import type { AttributeValue, PermissionDefinition } from "#core/contract/index.ts";

/** What one role says of one permission. */
export interface Grant {
  readonly allow: boolean;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

export interface Role {
  readonly job: string;
  readonly grade: number;
  readonly grants: ReadonlyMap<string, Grant>;
}

/** The job of the default role, whose rights everyone inherits. */
export const defaultJob = "";

export interface RightsOf {
  readonly job: string;
  readonly grade: number;
  readonly jobAdmin: boolean;
}

type Held = Record<string, Record<string, AttributeValue>>;

/** The roles that count for a job and grade, the nearest first, the default role last. */
function rolesFor(roles: readonly Role[], who: RightsOf): Role[] {
  const own = roles.filter((role) => role.job === who.job && role.job !== defaultJob && role.grade <= who.grade);
  const fallback = roles.filter((role) => role.job === defaultJob);
  const highestFirst = (a: Role, b: Role) => b.grade - a.grade;
  return [...own.sort(highestFirst), ...fallback.sort(highestFirst)];
}

function everything(permissions: readonly PermissionDefinition[]): Held {
  return Object.fromEntries(
    permissions.map(({ id, attributes }) => [
      id,
      Object.fromEntries(
        Object.entries(attributes).flatMap(([name, attribute]) =>
          attribute.type === "strings" ? [[name, attribute.values]] : [],
        ),
      ),
    ]),
  );
}

/**
 * What a job and grade hold: of each permission, the nearest role at or below the grade that
 * mentions it decides, then the default role; an attribute is taken whole from the nearest allowing
 * role that sets it. Job admin holds everything.
 */
export function heldRights(permissions: readonly PermissionDefinition[], roles: readonly Role[], who: RightsOf): Held {
  if (who.jobAdmin) return everything(permissions);
  const inOrder = rolesFor(roles, who);
  const held: Held = {};
  for (const { id, attributes } of permissions) {
    const mentions = inOrder.map((role) => role.grants.get(id)).filter((grant) => grant !== undefined);
    if (mentions[0]?.allow !== true) continue;
    const values: Record<string, AttributeValue> = {};
    for (const name of Object.keys(attributes)) {
      const value = mentions.find((grant) => grant.allow && grant.attributes[name] !== undefined)?.attributes[name];
      if (value !== undefined) values[name] = value;
    }
    held[id] = values;
  }
  return held;
}

export function createRights(held: Held, epoch: string): Rights {
  return {
    epoch,
    has: (permission) => held[permission] !== undefined,
    attribute: (permission, attribute) => held[permission]?.[attribute],
    all: () => held,
  };
}
