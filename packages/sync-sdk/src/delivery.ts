import { createHash } from "node:crypto";
import { cut, halve, tooLargeMessage, type Chunk } from "./chunks.ts";
import { SyncError } from "./errors.ts";
import { operations, type SyncStatusOutput } from "./generated/types.ts";
import { chunkLimits, identities, idOf, type BatchOperation, type PublishedLimits } from "./operations.ts";
import { addResult, nothingSent, type BatchResult, type SendResult } from "./results.ts";
import { withRetries, type RetryContext } from "./retry.ts";
import type { Transport } from "./transport.ts";

/** The server's limits are read again after this long. */
const limitsFreshMs = 10 * 60_000;

export interface Batch {
  readonly operation: BatchOperation;
  readonly source: string;
  /** Of operations that carry one. */
  readonly boot?: string;
  readonly items: readonly unknown[];
}

/** A batch with a name that no other one has, and that it keeps while it waits on disk. */
export interface NamedBatch extends Batch {
  readonly name: string;
}

/** The idempotency key of one call: the same when it is repeated, also by a later process, and of no other content. */
export function keyOf(name: string, path: string, body: string): string {
  return createHash("sha256").update(`${name}\n${path}\n${body}`).digest("hex").slice(0, 40);
}

export interface Delivery {
  status(context: RetryContext): Promise<SyncStatusOutput>;
  /** The server's limits, read again from time to time. Throws `SyncError`. */
  freshLimits(context: RetryContext): Promise<PublishedLimits>;
  /** Sends all items in order, in as many calls as the server's limits require. Throws `SyncError`. */
  send(batch: NamedBatch, context: RetryContext): Promise<SendResult>;
  /** As far as known without a call. */
  readonly knownLimits: PublishedLimits | null;
}

export function createDelivery(transport: Transport): Delivery {
  let limits: { value: PublishedLimits; at: number } | null = null;

  async function status(context: RetryContext): Promise<SyncStatusOutput> {
    const { method, path } = operations["sync.status"];
    const found = (await withRetries(context, () => transport.call(method, path, null))) as SyncStatusOutput;
    if (found.limits === undefined)
      throw new SyncError("the status has no limits: is this the address of Rollcall?", {
        status: 200,
        code: "client.answer",
      });
    limits = { value: found.limits, at: context.timing.now() };
    return found;
  }

  async function sendChunk(batch: NamedBatch, chunk: Chunk, sum: SendResult, context: RetryContext): Promise<SendResult> {
    const { method, path, list } = operations[batch.operation];
    const boot = batch.boot === undefined ? "" : `"boot":${JSON.stringify(batch.boot)},`;
    const body = `{"source":${JSON.stringify(batch.source)},${boot}${JSON.stringify(list)}:[${chunk.items.join(",")}]}`;
    const key = keyOf(`${batch.name} ${chunk.offset}`, path, body);
    try {
      const result = (await withRetries(context, () => transport.call(method, path, body, { key }))) as BatchResult;
      return addResult(sum, result, chunk.offset);
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      if (mayBeOneItem(batch, error) && chunk.items.length > 1) {
        const [first, second] = halve(chunk);
        return await sendChunk(batch, second, await sendChunk(batch, first, sum, context), context);
      }
      if (error.status === 413)
        return addResult(sum, rejection(batch, chunk.offset, "client.itemTooLarge", tooLargeMessage), chunk.offset);
      if (mayBeOneItem(batch, error))
        return addResult(sum, rejection(batch, chunk.offset, error.code, error.message), chunk.offset);
      error.partial ??= sum;
      throw error;
    }
  }

  async function freshLimits(context: RetryContext): Promise<PublishedLimits> {
    if (limits === null || context.timing.now() - limits.at > limitsFreshMs) return (await status(context)).limits;
    return limits.value;
  }

  async function send(batch: NamedBatch, context: RetryContext): Promise<SendResult> {
    if (batch.items.length === 0) return nothingSent;
    const { chunks, unfit } = cut(batch.items, chunkLimits(batch.operation, await freshLimits(context)));
    let sum = nothingSent;
    for (const chunk of chunks) sum = await sendChunk(batch, chunk, sum, context);
    for (const { index, code, message } of unfit) sum = addResult(sum, rejection(batch, index, code, message), index);
    return { ...sum, rejected: [...sum.rejected].sort((a, b) => a.index - b.index) };
  }

  return {
    status,
    freshLimits,
    send,
    get knownLimits() {
      return limits?.value ?? null;
    },
  };
}

/**
 * Either a proxy in between accepts smaller bodies than the server (413), or one id of a deletion, which
 * the server accepts only as a whole, is invalid (400). Sending halves isolates the item.
 */
function mayBeOneItem({ operation }: Batch, error: SyncError): boolean {
  return error.status === 413 || (error.status === 400 && error.code !== "client.answer" && identities[operation].field === null);
}

function rejection({ operation, items }: Batch, index: number, code: string, message: string): BatchResult {
  return {
    accepted: 0,
    unchanged: 0,
    rejected: [{ index: 0, id: idOf(operation, items[index]), code, message }],
  };
}
