import { createHash } from "node:crypto";
import type { Actor } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import type { OperationDefinition } from "#core/contract/operation.ts";
import { AppError } from "#core/errors.ts";
import { type IdempotencyKeys, type KeptAnswer, type KeyedCall, KeyTaken, type Tx } from "#core/ports/index.ts";

export const idempotencyHeader = "Idempotency-Key";
export const replayedHeader = "Idempotency-Replayed";
export const keyPattern = "^[\\x20-\\x7e]{1,64}$";

const keyShape = new RegExp(keyPattern);
/** A call that has not ended is repeated after this long. */
const runningSeconds = 1;

function refused(problem: string): AppError {
  return new AppError(guardErrors.invalidInput, { params: { field: idempotencyHeader, problem } });
}

/** Tables of Lua have no order, so a call that is encoded again may have its fields in another one. */
function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Null without a key, and where repeating is safe without one: clients set the header on every call. Throws
 * `system.invalidInput` for one that is no key.
 */
export function keyedCall(
  { id, idempotent }: Pick<OperationDefinition, "id" | "idempotent">,
  header: string | string[] | undefined,
  actor: Actor,
  input: unknown,
): KeyedCall | null {
  if (idempotent !== "key" || header === undefined) return null;
  if (typeof header !== "string" || !keyShape.test(header)) throw refused("must be 1 to 64 printable ASCII characters");
  if (actor.kind !== "sync") throw new Error(`${id} accepts idempotency keys, but is no operation of the Sync API`);
  return {
    token: actor.tokenFingerprint,
    key: header,
    operation: id,
    input: createHash("sha256").update(JSON.stringify(input, inOrder)).digest("hex"),
  };
}

export interface Answered extends KeptAnswer {
  readonly replayed: boolean;
}

export type KeyedWork = (keep: (tx: Tx, output: unknown) => Promise<void>, reserve: () => Promise<void>) => Promise<unknown>;

/** Runs calls with an idempotency key; a repeated one gets the answer of the first. */
export class KeyedCalls {
  readonly #keys: IdempotencyKeys;
  /** Calls that run in this process. One that runs in another process waits for the first at the unique key. */
  readonly #running = new Set<string>();

  constructor(keys: IdempotencyKeys) {
    this.#keys = keys;
  }

  /** `work` passes its answer to `keep` in the transaction of its effect, if it has one; before several it calls `reserve`. */
  async run(call: KeyedCall, work: KeyedWork, answerOf: (output: unknown) => KeptAnswer): Promise<Answered> {
    const name = `${call.token} ${call.key}`;
    if (this.#running.has(name)) throw new AppError(guardErrors.idempotencyKeyRunning, { params: { seconds: runningSeconds } });
    this.#running.add(name);
    try {
      const earlier = await this.#keys.find(call);
      if (earlier) return { ...earlier, replayed: true };
      return { ...(await this.#first(call, work, answerOf)), replayed: false };
    } catch (error) {
      if (!(error instanceof KeyTaken)) throw error;
      const faster = await this.#keys.find(call);
      if (!faster) throw error;
      return { ...faster, replayed: true };
    } finally {
      this.#running.delete(name);
    }
  }

  async #first(call: KeyedCall, work: KeyedWork, answerOf: (output: unknown) => KeptAnswer): Promise<KeptAnswer> {
    let kept = false;
    let reserved = false;
    const keep = async (tx: Tx, result: unknown) => {
      if (reserved) await this.#keys.complete(tx, call, answerOf(result));
      else await this.#keys.keep(tx, call, answerOf(result));
      tx.afterCommit(() => void (kept = true));
    };
    const output = await work(keep, async () => {
      await this.#keys.reserve(call);
      reserved = true;
    });
    const answer = answerOf(output);
    if (!kept) await this.#keys.keepAlone(call, answer);
    return answer;
  }
}
