import { randomBytes } from "node:crypto";
import { optionError } from "./errors.ts";
import { operations, type PanicSyncBody, type PanicSyncCancelOutput, type PanicSyncOutput } from "./generated/types.ts";
import { withRetries, type RetryContext } from "./retry.ts";
import type { Transport } from "./transport.ts";

export type NewPanic = Omit<PanicSyncBody, "source">;
export type PressedPanic = PanicSyncOutput;

/**
 * The panic button of people on duty. Seconds count: neither call waits for what was sent before. Each resolves with what
 * the server answered, or throws `SyncError`, also where the limits of a person refuse one more.
 */
export interface PanicClient {
  /**
   * The character pressed. Pressed again while their panic is active, it is counted. `key` (1 to 64 printable ASCII
   * characters) names the press; left out, each call of this method is one.
   */
  press(panic: NewPanic, options?: { key?: string }): Promise<PressedPanic>;
  /** The character cancels, within 10 seconds; false where no panic of theirs is active. */
  cancel(identifier: string): Promise<boolean>;
}

export interface PanicOptions {
  readonly transport: Transport;
  readonly context: RetryContext;
  readonly source: string;
}

export function createPanic({ transport, context, source }: PanicOptions): PanicClient {
  return {
    async press({ identifier, x, y }, { key = randomBytes(16).toString("hex") } = {}) {
      if (!/^[\x20-\x7e]{1,64}$/.test(key)) throw optionError("key: must be 1 to 64 printable ASCII characters");
      const { method, path } = operations["panic.sync"];
      const body = JSON.stringify({ source, identifier, x, y });
      return (await withRetries(context, () => transport.call(method, path, body, { key }))) as PressedPanic;
    },
    async cancel(identifier) {
      const { method, path } = operations["panic.syncCancel"];
      const body = JSON.stringify({ source, identifier });
      return ((await withRetries(context, () => transport.call(method, path, body))) as PanicSyncCancelOutput).cancelled;
    },
  };
}
