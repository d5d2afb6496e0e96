import type { AttributeValue, PermissionDefinition } from "#core/contract/index.ts";
import type { Limits } from "./access.policy.ts";

type Values = Readonly<Record<string, AttributeValue>>;

export interface LimitDifference {
  readonly permission: string;
  /** Null: may not be handed out. */
  readonly before: Values | null;
  readonly after: Values | null;
}

/** One change of limits; null: the job was not limited. */
export interface LimitChange {
  readonly was: Limits | null;
  readonly became: Limits | null;
}

const ordered = (values: Values | undefined): Values | null =>
  values === undefined ? null : Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => a.localeCompare(b)));
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

function between(before: Limits, after: Limits): LimitDifference[] {
  return [...new Set([...before.keys(), ...after.keys()])].toSorted().flatMap((permission) => {
    const [was, is] = [ordered(before.get(permission)), ordered(after.get(permission))];
    return same(was, is) ? [] : [{ permission, before: was, after: is }];
  });
}

/** Whether both are equal, in any order. */
export function sameLimits(a: Limits | null, b: Limits | null): boolean {
  return a === null || b === null ? a === b : between(a, b).length === 0;
}

/** What a change did to what the job may hand out; without limits, that is everything that this version knows. */
export function limitDifferences(permissions: readonly PermissionDefinition[], { was, became }: LimitChange): LimitDifference[] {
  const everything: Limits = new Map(permissions.map(({ id }) => [id, {}]));
  return between(was ?? everything, became ?? everything);
}

export type Undone =
  | { readonly limits: Limits | null; readonly restored: Limits }
  /** What a later change touched: a permission, or null for the limits as a whole. */
  | { readonly changedSince: string | null };

/**
 * `now` without what one change did to it, and what that brings back. A change is not undone when a
 * later one touched the same limit, because that later limit would be lost unnoticed.
 */
export function undoneLimits(now: Limits | null, { was, became }: LimitChange): Undone {
  if (was === null || became === null)
    return sameLimits(now, became) ? { limits: was, restored: was ?? new Map() } : { changedSince: null };
  if (now === null) return { changedSince: null };
  const changes = between(was, became);
  const touched = changes.find(({ permission, after }) => !same(ordered(now.get(permission)), after));
  if (touched) return { changedSince: touched.permission };
  const restored: Limits = new Map(changes.flatMap(({ permission, before }) => (before === null ? [] : [[permission, before]])));
  const left = [...now].filter(([permission]) => !changes.some((change) => change.permission === permission));
  return { limits: new Map([...left, ...restored]), restored };
}
