import type { LinkDefinition } from "./link.ts";

/** Who may call an operation; the feature's policy adds rules per object. */
export type Access =
  /** Anyone. */
  | { readonly kind: "public" }
  /** A signed-in account: the session cookie is enough. */
  | { readonly kind: "account" }
  /** A signed-in account that `auth.configAdmin*` names. */
  | { readonly kind: "configAdmin" }
  /** A chosen character: needs a user token. */
  | { readonly kind: "character" }
  /** A chosen character while job admin is on. */
  | { readonly kind: "jobAdmin" }
  /**
   * A chosen character that holds one of these permissions; with `orConfigAdmin` also a config admin,
   * with or without a character.
   */
  | { readonly kind: "permission"; readonly anyOf: readonly string[]; readonly orConfigAdmin?: true }
  /** The secret of a link of one of these definitions. */
  | { readonly kind: "link"; readonly anyOf: readonly string[] }
  /** A Sync API token. */
  | { readonly kind: "sync" };

export const access = {
  public: (): Access => ({ kind: "public" }),
  account: (): Access => ({ kind: "account" }),
  configAdmin: (): Access => ({ kind: "configAdmin" }),
  character: (): Access => ({ kind: "character" }),
  jobAdmin: (): Access => ({ kind: "jobAdmin" }),
  permission: (...anyOf: [PermissionDefinition, ...PermissionDefinition[]]): Access => ({
    kind: "permission",
    anyOf: anyOf.map((p) => p.id),
  }),
  permissionOrConfigAdmin: (permission: PermissionDefinition): Access => ({
    kind: "permission",
    anyOf: [permission.id],
    orConfigAdmin: true,
  }),
  link: (...anyOf: [LinkDefinition, ...LinkDefinition[]]): Access => ({ kind: "link", anyOf: anyOf.map(({ id }) => id) }),
  sync: (): Access => ({ kind: "sync" }),
};

/** A right that roles grant, with the attributes that refine it. */
export interface PermissionDefinition {
  /** `<feature>.<name>`; its texts are in the feature's text file under `permissions.<name>`. */
  readonly id: string;
  readonly attributes: Readonly<Record<string, AttributeDefinition>>;
}

export type AttributeDefinition =
  | { readonly type: "strings"; readonly values: readonly string[] }
  | { readonly type: "jobs" }
  | { readonly type: "jobGrades" }
  /** Whose objects the right reaches, by who created them: a list of `ranks`. */
  | { readonly type: "rank" }
  /**
   * Ids of rows, from the part `attributeSources` of a feature. It narrows the right: where no role sets it, the
   * right reaches every row.
   */
  | { readonly type: "data"; readonly source: string };

/** As a value of an attribute of type `data`: every row, also those that are added later. No row has it as its id. */
export const everyRow = "*";

/** The own objects; those of lower grades of the job; of the own grade; of anybody. Each includes the ones before it. */
export const ranks = ["own", "lower", "same", "any"] as const;

/** The grades of one job: the highest grade included, or an exact list. */
export type GradesOfJob = number | readonly number[];

/** A role's value for an attribute: a list of strings, jobs or ids, or for `jobGrades` the grades by job. */
export type AttributeValue = readonly string[] | Readonly<Record<string, GradesOfJob>>;

export function definePermission<const A extends Record<string, AttributeDefinition>>(id: string, attributes: A = {} as A) {
  return { id, attributes } satisfies PermissionDefinition;
}

/** Whether the value of an attribute of type `data` reaches a row; unset, it reaches every row. */
export function reachesRow(value: AttributeValue | undefined, id: string): boolean {
  if (value === undefined) return true;
  return Array.isArray(value) && (value.includes(everyRow) || value.includes(id));
}
