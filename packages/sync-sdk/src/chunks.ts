import type { ChunkLimits } from "./operations.ts";

/** Items of one call, already written as JSON, starting at `offset` of what the caller passed. */
export interface Chunk {
  readonly offset: number;
  readonly items: readonly string[];
}

/** Room for `{"source":"...","identifiers":[` and the closing brackets. */
const envelopeBytes = 512;

export function toJson(item: unknown): string {
  // What JSON cannot express becomes null, which the server rejects by its index.
  return JSON.stringify(item) ?? "null";
}

/**
 * Cuts items into calls of at most so many items and bytes, in order. An item that is too large for
 * any call is left out and named in `tooLarge`.
 */
export function cut(items: readonly string[], limits: ChunkLimits): { chunks: Chunk[]; tooLarge: number[] } {
  const room = limits.bytes - envelopeBytes;
  const chunks: Chunk[] = [];
  const tooLarge: number[] = [];
  let open: { offset: number; items: string[]; bytes: number } | null = null;
  items.forEach((json, index) => {
    const bytes = Buffer.byteLength(json) + 1;
    if (bytes > room) {
      tooLarge.push(index);
      open = null;
      return;
    }
    if (open === null || open.items.length >= limits.items || open.bytes + bytes > room) {
      open = { offset: index, items: [], bytes: 0 };
      chunks.push(open);
    }
    open.items.push(json);
    open.bytes += bytes;
  });
  return { chunks, tooLarge };
}

/** Two halves, for a proxy that takes less than the server. */
export function halve({ offset, items }: Chunk): [Chunk, Chunk] {
  const middle = Math.ceil(items.length / 2);
  return [
    { offset, items: items.slice(0, middle) },
    { offset: offset + middle, items: items.slice(middle) },
  ];
}
