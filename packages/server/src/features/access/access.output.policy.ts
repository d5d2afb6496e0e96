import type { RoleGrants } from "./access.contract.ts";
import type { Decision, Grants } from "./access.policy.ts";

/** Grants as the contract sends them. */
export function outputOfGrants(grants: Grants | null | undefined): RoleGrants {
  return structuredClone(Object.fromEntries(grants ?? []));
}

/** A decision as the contract sends it. */
export function outputOfDecision({ attributes, ...decision }: Decision) {
  return {
    ...decision,
    attributes: attributes.map(({ unclipped, ...one }) => (unclipped === null ? one : { ...one, unclipped })),
  };
}

/** Grants as the contract receives them. */
export function grantsOf(grants: RoleGrants): Grants {
  return new Map(Object.entries(grants));
}
