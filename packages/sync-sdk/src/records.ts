import { cut, toJson } from "./chunks.ts";
import type { Batch } from "./delivery.ts";
import { chunkLimits } from "./operations.ts";
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
  const { chunks, tooLarge } = cut(batch.items.map(toJson), {
    items: limits.items,
    bytes: Math.min(limits.bytes, recordBytes),
  });
  const records = chunks.map(({ offset, items }) => ({
    operation: batch.operation,
    source: batch.source,
    items: batch.items.slice(offset, offset + items.length),
  }));
  const rejected = tooLarge.map((index) => ({
    index,
    id: null,
    code: "client.itemTooLarge",
    message: "the item is larger than the server takes in one call",
  }));
  return { records, offsets: chunks.map(({ offset }) => offset), unfit: { ...nothingSent, rejected } };
}
