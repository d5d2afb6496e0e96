import { cut } from "./chunks.ts";
import type { Batch } from "./delivery.ts";
import { chunkLimits, idOf } from "./operations.ts";
import { nothingSent, type SendResult } from "./results.ts";
import type { NewRecord } from "./segment.ts";

/** Records on disk stay small, so that little is sent again after a kill. */
const recordBytes = 1024 * 1024;

/** The records of a batch, each small enough for one call; what no call can carry is rejected here. */
export function splitBatch(
  batch: Batch,
  published: Parameters<typeof chunkLimits>[1],
): { records: NewRecord[]; offsets: number[]; unfit: SendResult } {
  const limits = chunkLimits(batch.operation, published);
  const { chunks, unfit } = cut(batch.items, {
    items: limits.items,
    bytes: Math.min(limits.bytes, recordBytes),
  });
  const records = chunks.map(({ offset, items }) => ({
    operation: batch.operation,
    source: batch.source,
    ...(batch.boot !== undefined && { boot: batch.boot }),
    items: batch.items.slice(offset, offset + items.length),
  }));
  const rejected = unfit.map((one) => ({ ...one, id: idOf(batch.operation, batch.items[one.index]) }));
  return { records, offsets: chunks.map(({ offset }) => offset), unfit: { ...nothingSent, rejected } };
}
