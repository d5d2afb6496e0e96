import { randomBytes } from "node:crypto";
import { cut } from "./chunks.ts";
import type { Delivery } from "./delivery.ts";
import { optionError, SyncError } from "./errors.ts";
import type { CallsSyncBody, CallsSyncCloseOutput, CallsSyncOutput } from "./generated/types.ts";
import { operations } from "./generated/types.ts";
import { withRetries, type RetryContext } from "./retry.ts";
import type { Transport } from "./transport.ts";

export type NewCall = Omit<CallsSyncBody, "source">;
export type CreatedCall = CallsSyncOutput;

/**
 * Calls for help to jobs. What was sent before goes first, because the people have to be there. None of these calls
 * waits in the queue on disk: each resolves with what the server answered, or throws `SyncError` after the last attempt.
 */
export interface CallsClient {
  /**
   * Creates a call for one or several jobs. `key` (1 to 64 printable ASCII characters) names it: created again within 24
   * hours, also by a later process, it gets the same answer and is there once. Left out, each call of this method
   * creates one.
   */
  create(call: NewCall, options?: { key?: string }): Promise<CreatedCall>;
  /** Completes the open calls that a character made and is shown as the caller of; how many. */
  close(identifier: string): Promise<number>;
}

export interface CallsOptions {
  readonly transport: Transport;
  readonly delivery: Pick<Delivery, "freshLimits">;
  readonly context: RetryContext;
  readonly source: string;
  /** Sends what waits. */
  readonly flush: () => Promise<void>;
}

export function createCalls({ transport, delivery, context, source, flush }: CallsOptions): CallsClient {
  return {
    async create(call, { key = randomBytes(16).toString("hex") } = {}) {
      if (!/^[\x20-\x7e]{1,64}$/.test(key)) throw optionError("key: must be 1 to 64 printable ASCII characters");
      await flush();
      const { method, path } = operations["calls.sync"];
      const { bodyBytes } = await delivery.freshLimits(context);
      const [unfit] = cut([call], { items: 1, bytes: bodyBytes }).unfit;
      if (unfit !== undefined) throw new SyncError(unfit.message, { code: unfit.code });
      const body = JSON.stringify({ ...call, source });
      return (await withRetries(context, () => transport.call(method, path, body, { key }))) as CreatedCall;
    },
    async close(identifier) {
      await flush();
      const { method, path } = operations["calls.syncClose"];
      const body = JSON.stringify({ source, identifier });
      return ((await withRetries(context, () => transport.call(method, path, body))) as CallsSyncCloseOutput).closed;
    },
  };
}
