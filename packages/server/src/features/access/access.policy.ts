import type { Rights } from "#core/actor.ts";
import type { AttributeDefinition, AttributeValue, PermissionDefinition } from "#core/contract/index.ts";
import { clip, fullValue, knownValue, unsetValue } from "./access.values.policy.ts";

/** What one role says about one permission. */
export interface Grant {
  readonly allow: boolean;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
}

export type Grants = ReadonlyMap<string, Grant>;

export interface Role {
  readonly job: string;
  readonly grade: number;
  readonly grants: Grants;
}

/**
 * What a job may hand out: only the permissions that are named, and each attribute only up to its
 * maximum. An attribute without a maximum may have any value.
 */
export type Limits = ReadonlyMap<string, Readonly<Record<string, AttributeValue>>>;

/** By job; a job without limits may hand out everything. */
export type LimitsByJob = ReadonlyMap<string, Limits>;

/** The job of the default role, whose rights everyone inherits. */
export const defaultJob = "";

export interface RightsOf {
  readonly job: string;
  readonly grade: number;
  readonly jobAdmin: boolean;
  /** Limits the rights to those that this grade of the same job holds, for seeing the panel as a lower grade. */
  readonly within?: number;
}

/** Everything that decides about rights. */
export interface Rules {
  readonly permissions: readonly PermissionDefinition[];
  readonly roles: readonly Role[];
  readonly limits: LimitsByJob;
}

/** Held permissions with their attributes. */
export type GrantedRights = Readonly<Record<string, Readonly<Record<string, AttributeValue>>>>;

/** Names a role; the job of the default role is empty. */
export interface RoleName {
  readonly job: string;
  readonly grade: number;
}

export interface AttributeDecision {
  readonly name: string;
  readonly value: AttributeValue;
  /** Null when no role set it: because of job admin, or because the attribute narrows the right only where it is set. */
  readonly from: RoleName | null;
  /** The value of the role, when the job's limit made it smaller. */
  readonly unclipped: AttributeValue | null;
}

export interface Decision {
  readonly permission: string;
  readonly held: boolean;
  /** `role`: a role of the job decided, `default`: the default role, `none`: no role mentions it. */
  readonly reason: "jobAdmin" | "role" | "default" | "none";
  /** The role that decided. */
  readonly from: RoleName | null;
  /** The nearest role whose grant the job's limit cancelled. */
  readonly clipped: RoleName | null;
  readonly attributes: readonly AttributeDecision[];
}

/** The roles that count for a job and grade, the nearest first, the default role last. */
function rolesFor(roles: readonly Role[], who: RoleName): Role[] {
  const own = roles.filter((role) => role.job === who.job && role.job !== defaultJob && role.grade <= who.grade);
  const fallback = roles.filter((role) => role.job === defaultJob);
  const highestFirst = (a: Role, b: Role) => b.grade - a.grade;
  return [...own.sort(highestFirst), ...fallback.sort(highestFirst)];
}

interface Mention {
  readonly role: Role;
  readonly grant: Grant;
}

const nameOf = ({ role }: Mention): RoleName => ({ job: role.job, grade: role.grade });

function explainAttribute(
  name: string,
  definition: AttributeDefinition,
  mentions: readonly Mention[],
  most: Readonly<Record<string, AttributeValue>> | undefined,
): AttributeDecision[] {
  const found = mentions.find(({ grant }) => grant.allow && grant.attributes[name] !== undefined);
  const stored = found?.grant.attributes[name] ?? unsetValue(definition);
  // Where no role sets it, the role that decided about the permission also decides whether the job's limits apply.
  const by = found ?? mentions[0];
  if (!by || stored === undefined) return [];
  const whole = knownValue(definition, stored);
  const limit = most?.[name];
  const value = by.role.job === defaultJob || limit === undefined ? whole : clip(whole, knownValue(definition, limit));
  const cut = JSON.stringify(value) !== JSON.stringify(whole);
  return [{ name, value, from: found ? nameOf(found) : null, unclipped: cut ? whole : null }];
}

function explainOne({ id, attributes }: PermissionDefinition, inOrder: readonly Role[], limits: Limits | undefined): Decision {
  const all = inOrder.flatMap((role): Mention[] => {
    const grant = role.grants.get(id);
    return grant === undefined ? [] : [{ role, grant }];
  });
  const beyond = ({ role, grant }: Mention) => role.job !== defaultJob && grant.allow && limits !== undefined && !limits.has(id);
  const cancelled = all.find(beyond);
  const mentions = all.filter((mention) => !beyond(mention));
  const [nearest] = mentions;
  const held = nearest?.grant.allow === true;
  return {
    permission: id,
    held,
    reason: nearest === undefined ? "none" : nearest.role.job === defaultJob ? "default" : "role",
    from: nearest ? nameOf(nearest) : null,
    clipped: cancelled ? nameOf(cancelled) : null,
    attributes: held
      ? Object.entries(attributes).flatMap(([name, definition]) => explainAttribute(name, definition, mentions, limits?.get(id)))
      : [],
  };
}

function everything({ id, attributes }: PermissionDefinition): Decision {
  const whole = Object.entries(attributes).flatMap(([name, attribute]): AttributeDecision[] => {
    const value = fullValue(attribute);
    return value === undefined ? [] : [{ name, value, from: null, unclipped: null }];
  });
  return { permission: id, held: true, reason: "jobAdmin", from: null, clipped: null, attributes: whole };
}

/**
 * Every permission with what decides about it for a job and grade: the nearest role at or below the
 * grade that mentions it, then the default role. An attribute is taken whole from the nearest
 * allowing role that sets it. Grants of the job's roles beyond the job's limits are ignored; the
 * default role is not limited. Job admin holds everything.
 */
export function explainRights({ permissions, roles, limits }: Rules, who: RightsOf): Decision[] {
  if (who.jobAdmin) return permissions.map(everything);
  const inOrder = rolesFor(roles, who);
  return permissions.map((permission) => explainOne(permission, inOrder, limits.get(who.job)));
}

export function heldOf(decisions: readonly Decision[]): GrantedRights {
  return Object.fromEntries(
    decisions.flatMap(({ permission, held, attributes }) =>
      held ? [[permission, Object.fromEntries(attributes.map(({ name, value }) => [name, value]))]] : [],
    ),
  );
}

/** What both hold. */
export function intersectRights(a: GrantedRights, b: GrantedRights): GrantedRights {
  return Object.fromEntries(
    Object.entries(a).flatMap(([permission, attributes]) => {
      const other = b[permission];
      if (other === undefined) return [];
      const both = Object.entries(attributes).flatMap(([name, value]) =>
        other[name] === undefined ? [] : [[name, clip(value, other[name])]],
      );
      return [[permission, Object.fromEntries(both)]];
    }),
  );
}

/** What a job and grade hold, by the same rule as `explainRights`. */
export function heldRights(rules: Rules, who: RightsOf): GrantedRights {
  const held = heldOf(explainRights(rules, who));
  if (who.within === undefined || who.jobAdmin) return held;
  return intersectRights(held, heldOf(explainRights(rules, { job: who.job, grade: who.within, jobAdmin: false })));
}

export function createRights(held: GrantedRights, epoch: string): Rights {
  return {
    epoch,
    has: (permission) => held[permission] !== undefined,
    attribute: (permission, attribute) => held[permission]?.[attribute],
    all: () => held,
  };
}
