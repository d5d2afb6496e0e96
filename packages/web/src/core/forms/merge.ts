import { isSame, valueAt, withValue, type Values } from "./contract.ts";

/** A record as it is stored, or was when somebody began to change it. */
export interface Stored<V> {
  readonly values: V;
  /** 0 for something new, and where nothing counts versions. */
  readonly version: number;
}

export type Side = "mine" | "theirs";

/** A field in which one's own values and those stored meanwhile differ. */
export interface Difference {
  /** Path of the field, with dots. */
  readonly field: string;
  readonly mine: unknown;
  readonly theirs: unknown;
  /** Whose change it is; null when both changed it, and the person has to choose. */
  readonly changedBy: Side | null;
}

/** Of these fields, those that were changed. */
export function changedFields(fields: readonly string[], base: Values, mine: Values): string[] {
  return fields.filter((field) => !isSame(valueAt(base, field), valueAt(mine, field)));
}

/**
 * A draft on the record as it is stored now, of the same version: fields that were not touched follow it, because what
 * something new begins with may depend on the time.
 */
export function rebased<V extends Values>(
  fields: readonly string[],
  draft: { readonly base: Stored<Values>; readonly mine: Values },
  stored: V,
): V {
  const touched = new Set(changedFields(fields, draft.base.values, draft.mine));
  return fields
    .filter((field) => !touched.has(field))
    .reduce<V>((values, field) => withValue(values, field, valueAt(stored, field)), draft.mine as V);
}

/** What to choose between when a record that somebody is changing was changed by another person. */
export function differences(fields: readonly string[], base: Values, mine: Values, theirs: Values): Difference[] {
  const [own, others] = [changedFields(fields, base, mine), changedFields(fields, base, theirs)];
  return changedFields(fields, mine, theirs).map((field) => {
    const both = own.includes(field) && others.includes(field);
    const changedBy = both ? null : own.includes(field) ? "mine" : "theirs";
    return { field, mine: valueAt(mine, field), theirs: valueAt(theirs, field), changedBy };
  });
}

/** The stored values with the chosen fields of one's own. */
export function merged<V extends Values>(theirs: V, found: readonly Difference[], chosen: Readonly<Record<string, Side>>): V {
  return found
    .filter(({ field }) => chosen[field] === "mine")
    .reduce<V>((values, { field, mine }) => withValue(values, field, mine), theirs);
}

/** What is chosen before the person chooses. */
export function proposed(found: readonly Difference[]): Record<string, Side> {
  return Object.fromEntries(found.flatMap(({ field, changedBy }) => (changedBy ? [[field, changedBy]] : [])));
}
