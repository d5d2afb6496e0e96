import type { TSchema } from "typebox";
import { apiToken, type CallContext } from "#core/feature.ts";
import type { IdempotencyKeys, Tx } from "#core/ports/index.ts";
import type { BatchResult, SyncKindName } from "./sync.contract.ts";
import type { GameTable, SyncColumns, SyncLists, SyncTable } from "./sync.table.api.ts";

/** A valid item under its id. */
export interface BatchItem<Item> {
  readonly id: string;
  readonly item: Item;
}

export interface Batch<Item> {
  readonly kind: SyncKindName;
  /** The operation's id, for the audit log. */
  readonly action: string;
  /** Schema of one item. */
  readonly schema: TSchema;
  readonly items: readonly unknown[];
  readonly source: string;
  idOf(item: Item): string;
  /** Whether `apply` would write anything, without locks; left out where this check costs as much as applying. */
  differs?(tx: Tx, items: readonly BatchItem<Item>[]): Promise<boolean>;
  /** Writes the valid items; returns how many changed something. Runs again when the database asks for it. */
  apply(tx: Tx, items: readonly BatchItem<Item>[]): Promise<number>;
}

export interface SyncApi {
  /** For the HTTP server. */
  readonly idempotency: IdempotencyKeys;
  /** When any source last sent data, null for never. Milliseconds UTC. */
  lastDataAt(tx: Tx): Promise<number | null>;
  /**
   * Validates item by item, merges the items of an id that is repeated, applies the valid ones in one unit
   * of work, and records source, freshness and audit.
   */
  applyBatch<Item>(call: CallContext, batch: Batch<Item>): Promise<BatchResult>;
  /** The use cases of a table that the game server fills: batches, deletions and manifests. */
  table<Item extends object, C extends SyncColumns, L extends SyncLists, Change>(table: SyncTable<Item, C, L, Change>): GameTable;
}

export const syncApi = apiToken<SyncApi>("sync");
