import type { Citizen } from "./citizens.queries.ts";

export interface RestrictedPart {
  readonly field: string;
  /** How many the viewer sees; undefined when the profile does not have this part. */
  readonly count: number | undefined;
  /** The role shows only some, so that the number would be taken for that of all there are. */
  readonly limited?: boolean;
}

/** What a part of the profile shows: the right that it needs, or its content; null when it is left out. */
export function restrictedPart({ hidden }: Pick<Citizen, "hidden">, { field, count, limited = false }: RestrictedPart) {
  const missing = hidden.find((one) => one.field === field) ?? null;
  if (missing === null && count === undefined) return null;
  return { missing, count: limited ? undefined : count };
}
