import type { Tx } from "./database.ts";

/** A call with an idempotency key. */
export interface KeyedCall {
  /** Fingerprint of the caller's token: keys of different tokens do not meet. */
  readonly token: string;
  readonly key: string;
  /** Id of the operation. */
  readonly operation: string;
  /** SHA-256 of the validated input. */
  readonly input: string;
}

export interface KeptAnswer {
  readonly status: number;
  /** JSON; null where the answer has no body. */
  readonly body: string | null;
}

/** Answers of calls with an idempotency key, so that a repeated call has no second effect. */
export interface IdempotencyKeys {
  /**
   * The answer of the first call with this key; null when there was none. Throws `AppError` when that was a
   * call of another operation or input, when its answer was too large to keep, or when it was reserved and has
   * not ended.
   */
  find(call: KeyedCall): Promise<KeptAnswer | null>;
  /** In the transaction of the effect, as its last statement. Throws `KeyTaken` when a call of this key was faster. */
  keep(tx: Tx, call: KeyedCall, answer: KeptAnswer): Promise<void>;
  /**
   * In a transaction of its own, before an effect of several: until `complete`, the key is refused. Throws `KeyTaken`
   * as `keep`.
   */
  reserve(call: KeyedCall): Promise<void>;
  /** As `keep`, for a call that reserved its key. */
  complete(tx: Tx, call: KeyedCall, answer: KeptAnswer): Promise<void>;
  /** As `keep`, in a transaction of its own: for calls that changed nothing. */
  keepAlone(call: KeyedCall, answer: KeptAnswer): Promise<void>;
}

/** Another call with the same idempotency key was faster: its answer applies, and this effect is rolled back. */
export class KeyTaken extends Error {
  override name = "KeyTaken";
}
