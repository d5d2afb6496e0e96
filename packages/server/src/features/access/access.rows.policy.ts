import { type AttributeValue, everyRow, type PermissionDefinition } from "#core/contract/index.ts";
import type { Decision, Grants } from "./access.policy.ts";

type Attributes = Readonly<Record<string, AttributeValue>>;

/** What roles, limits or decisions say, by permission. */
export type Values = Iterable<readonly [permission: string, attributes: Attributes]>;

/** A row that the value of an attribute names. */
export interface NamedRow {
  readonly permission: string;
  readonly attribute: string;
  readonly source: string;
  readonly id: string;
}

/** The rows that values name, of attributes that this version knows. */
export function namedRows(permissions: readonly PermissionDefinition[], values: Values): NamedRow[] {
  const known = new Map(permissions.map(({ id, attributes }) => [id, attributes]));
  return [...values].flatMap(([permission, attributes]) =>
    Object.entries(attributes).flatMap(([attribute, value]) => {
      const definition = known.get(permission)?.[attribute];
      if (definition?.type !== "data" || !Array.isArray(value)) return [];
      const ids = (value as readonly string[]).filter((id) => id !== everyRow);
      return ids.map((id): NamedRow => ({ permission, attribute, source: definition.source, id }));
    }),
  );
}

const keyOf = ({ permission, attribute, id }: NamedRow) => JSON.stringify([permission, attribute, id]);

/** The rows that a change names and that were not named there before. */
export function addedRows(permissions: readonly PermissionDefinition[], before: Values, after: Values): NamedRow[] {
  const were = new Set(namedRows(permissions, before).map(keyOf));
  return namedRows(permissions, after).filter((row) => !were.has(keyOf(row)));
}

/** The ids of each source, each once. */
export function idsBySource(rows: readonly NamedRow[]): ReadonlyMap<string, readonly string[]> {
  const groups = Map.groupBy(rows, ({ source }) => source);
  return new Map([...groups].map(([source, own]) => [source, [...new Set(own.map(({ id }) => id))]]));
}

export const valuesOfGrants = (grants: Grants | null | undefined): Values =>
  [...(grants ?? [])].map(([permission, { attributes }]) => [permission, attributes] as const);

/** With the values of roles that limits made smaller. */
export const valuesOfDecisions = (decisions: readonly Decision[]): Values =>
  decisions.flatMap(({ permission, attributes }) =>
    attributes.flatMap(({ name, value, unclipped }) =>
      [value, unclipped].flatMap((one) => (one === null ? [] : [[permission, { [name]: one }] as const])),
    ),
  );

interface Change {
  readonly permission: string;
  readonly before: { readonly attributes: Attributes } | null;
  readonly after: { readonly attributes: Attributes } | null;
}

/** Of a history of roles. */
export const valuesOfChanges = (revisions: readonly { readonly changes: readonly Change[] }[]): Values =>
  revisions.flatMap(({ changes }) =>
    changes.flatMap(({ permission, before, after }) =>
      [before, after].flatMap((one) => (one === null ? [] : [[permission, one.attributes] as const])),
    ),
  );

interface LimitChange {
  readonly permission: string;
  readonly before: Attributes | null;
  readonly after: Attributes | null;
}

/** Of a history of limits. */
export const valuesOfLimitChanges = (revisions: readonly { readonly changes: readonly LimitChange[] }[]): Values =>
  revisions.flatMap(({ changes }) =>
    changes.flatMap(({ permission, before, after }) =>
      [before, after].flatMap((one) => (one === null ? [] : [[permission, one] as const])),
    ),
  );
