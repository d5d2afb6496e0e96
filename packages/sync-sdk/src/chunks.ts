import type { ChunkLimits } from "./operations.ts";

/** Items of one call, already written as JSON, starting at `offset` of what the caller passed. */
export interface Chunk {
  readonly offset: number;
  readonly items: readonly string[];
}

/** Room for `{"source":"...","identifiers":[` and the closing brackets. */
const envelopeBytes = 512;

/** An item that no call can carry. */
export interface UnfitItem {
  readonly index: number;
  readonly code: "client.itemInvalid" | "client.itemTooLarge";
  readonly message: string;
}

export const tooLargeMessage = "the item is larger than the server accepts in one call";

/** JSON writes NaN and infinite numbers as null, which would erase the stored value. */
function lostNumber(item: unknown): string | null {
  let lost: string | null = null;
  JSON.stringify(item, (name, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) lost ??= `${name || "item"} must not be ${value}`;
    return value;
  });
  return lost;
}

/**
 * Cuts items into calls of at most so many items and bytes, in order. An item that no call can carry is
 * left out and named in `unfit`.
 */
export function cut(items: readonly unknown[], limits: ChunkLimits): { chunks: Chunk[]; unfit: UnfitItem[] } {
  const room = limits.bytes - envelopeBytes;
  const chunks: Chunk[] = [];
  const unfit: UnfitItem[] = [];
  let open: { offset: number; items: string[]; bytes: number } | null = null;
  items.forEach((item, index) => {
    // What JSON cannot express becomes null, which the server rejects by its index.
    const json = JSON.stringify(item) ?? "null";
    const bytes = Buffer.byteLength(json) + 1;
    const lost = json.includes("null") ? lostNumber(item) : null;
    if (lost !== null) unfit.push({ index, code: "client.itemInvalid", message: lost });
    else if (bytes > room) unfit.push({ index, code: "client.itemTooLarge", message: tooLargeMessage });
    if (lost !== null || bytes > room) {
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
  return { chunks, unfit };
}

/** Two halves, for a proxy that accepts less than the server. */
export function halve({ offset, items }: Chunk): [Chunk, Chunk] {
  const middle = Math.ceil(items.length / 2);
  return [
    { offset, items: items.slice(0, middle) },
    { offset: offset + middle, items: items.slice(middle) },
  ];
}
