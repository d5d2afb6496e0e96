import type { TSchema } from "typebox";
import { apiToken, type CallContext } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { BatchResult, SyncKindName } from "./sync.contract.ts";

/** A valid item with its place in the batch. */
export interface BatchItem<Item> {
  readonly index: number;
  readonly id: string;
  readonly item: Item;
}

export interface Batch<Item> {
  readonly kind: SyncKindName;
  /** The operation's id, for the audit trail. */
  readonly action: string;
  /** Schema of one item. */
  readonly schema: TSchema;
  readonly items: readonly unknown[];
  readonly source: string;
  idOf(item: Item): string;
  /** Whether `apply` would write anything, without locks; left out where asking costs as much as applying. */
  differs?(tx: Tx, items: readonly BatchItem<Item>[]): Promise<boolean>;
  /** Writes the valid items; returns how many changed something. Runs again when the database asks for it. */
  apply(tx: Tx, items: readonly BatchItem<Item>[]): Promise<number>;
}

export interface SyncApi {
  /** When any source last sent data, null for never. Milliseconds UTC. */
  lastDataAt(tx: Tx): Promise<number | null>;
  /** Checks item by item, applies the good ones in one unit of work, notes source, freshness and audit. */
  applyBatch<Item>(call: CallContext, batch: Batch<Item>): Promise<BatchResult>;
}

export const syncApi = apiToken<SyncApi>("sync");

/** Bytes of JSON in one event: far below the outbox limit, and no burden on a live connection. */
const eventBytes = 160_000;

/** Changes in order, each portion as much as one event carries: one person may have fifty licences. */
export function eventPortions<T>(changes: readonly T[]): T[][] {
  const portions: T[][] = [];
  let bytes = Infinity;
  for (const change of changes) {
    const size = Buffer.byteLength(JSON.stringify(change)) + 1;
    if (bytes + size > eventBytes) {
      portions.push([]);
      bytes = 0;
    }
    bytes += size;
    portions.at(-1)!.push(change);
  }
  return portions;
}
