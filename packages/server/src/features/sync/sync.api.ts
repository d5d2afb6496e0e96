import { apiToken, type CallContext } from "#core/feature.ts";
import type { IdempotencyKeys, Tx } from "#core/ports/index.ts";
import type { Batch, BatchItem } from "./sync.batch.api.ts";
import type { BatchResult } from "./sync.contract.ts";
import type { syncKinds } from "./sync.kinds.contract.ts";
import type { GameTable, SyncColumns, SyncLists, SyncTable } from "./sync.table.api.ts";

export interface SortedBatch<Item> {
  /** One item per id; of an id that is repeated, the last one wins field by field. */
  readonly valid: readonly BatchItem<Item>[];
  readonly rejected: BatchResult["rejected"];
}

export interface SyncApi {
  /** For the HTTP server. */
  readonly idempotency: IdempotencyKeys;
  /** When any source last sent data, null for never. Milliseconds UTC. */
  lastDataAt(tx: Tx): Promise<number | null>;
  /** Whether what is here came with the demo city. */
  isDemo(tx: Tx): Promise<boolean>;
  /** How many live objects of each kind there are. */
  counts(tx: Tx): Promise<{ kind: (typeof syncKinds)[number]; count: number }[]>;
  /**
   * Validates item by item, merges the items of an id that is repeated, applies the valid ones in one unit
   * of work, and records source, freshness and audit.
   */
  applyBatch<Item, More extends object = object>(call: CallContext, batch: Batch<Item, More>): Promise<BatchResult & More>;
  /** Of a call that stores nothing itself: sorts its items into valid and rejected ones. */
  sort<Item>(batch: Pick<Batch<Item>, "schema" | "items" | "idOf" | "problemOf" | "firstWins">): SortedBatch<Item>;
  /** The use cases of a table that the game server fills: batches, deletions and manifests. */
  table<Item extends object, C extends SyncColumns, L extends SyncLists, Change>(table: SyncTable<Item, C, L, Change>): GameTable;
}

export const syncApi = apiToken<SyncApi>("sync");
