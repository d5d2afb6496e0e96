import type { OperationDefinition } from "./operation.ts";

/**
 * One kind of game data, as the Sync API names it. `kind` and `manifest` are literals: the list of all kinds is
 * generated from the text of the contracts.
 */
export interface SyncKindDefinition {
  readonly kind: string;
  /** The game is the only source of its rows, so that a manifest may reconcile them. */
  readonly manifest: boolean;
  /** The field of an item that holds its id. */
  readonly key: string;
  /** Send a batch of items or of ids. */
  readonly operations: readonly OperationDefinition[];
}

export function defineSyncKind(definition: SyncKindDefinition): SyncKindDefinition {
  return definition;
}
