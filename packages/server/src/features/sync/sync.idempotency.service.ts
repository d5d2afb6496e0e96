import { guardErrors } from "#core/contract/index.ts";
import { DuplicateKey } from "#core/db/errors.ts";
import { AppError } from "#core/errors.ts";
import {
  type Clock,
  type Database,
  type IdempotencyKeys,
  type KeptAnswer,
  type KeyedCall,
  KeyTaken,
  type Tx,
} from "#core/ports/index.ts";
import { fits, isRepetition, unfinished } from "./sync.idempotency.policy.ts";
import * as repo from "./sync.repo.ts";

export interface IdempotencyDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Stores the answers of calls with an idempotency key, each in the transaction of its effect. */
export class IdempotencyService implements IdempotencyKeys {
  readonly #deps: IdempotencyDeps;

  constructor(deps: IdempotencyDeps) {
    this.#deps = deps;
  }

  async find(call: KeyedCall): Promise<KeptAnswer | null> {
    const row = await this.#deps.db.read("sync.findKey", async (tx) => await repo.findKey(tx, call.token, call.key));
    if (row === null) return null;
    if (!isRepetition(row, call)) throw new AppError(guardErrors.idempotencyKeyReused);
    if (row.status === unfinished) throw new AppError(guardErrors.idempotencyKeyUnfinished);
    if (row.too_large === 1) throw new AppError(guardErrors.idempotencyAnswerTooLarge);
    return { status: row.status, body: row.answer };
  }

  async keep(tx: Tx, call: KeyedCall, answer: KeptAnswer): Promise<void> {
    await this.#insert(tx, call, keptOf(answer));
  }

  async reserve(call: KeyedCall): Promise<void> {
    const reserved = { status: unfinished, answer: null, too_large: 1 } as const;
    await this.#deps.db.write("sync.reserveKey", async (tx) => await this.#insert(tx, call, reserved));
  }

  async complete(tx: Tx, { token, key }: KeyedCall, answer: KeptAnswer): Promise<void> {
    await repo.updateKey(tx, token, key, keptOf(answer));
  }

  async keepAlone(call: KeyedCall, answer: KeptAnswer): Promise<void> {
    await this.#deps.db.write("sync.keepKey", async (tx) => await this.keep(tx, call, answer));
  }

  async #insert(tx: Tx, { token, key, operation, input }: KeyedCall, kept: repo.KeptColumns): Promise<void> {
    try {
      const created_at = this.#deps.clock.now();
      await repo.insertKey(tx, { token, idempotency_key: key, operation, input, ...kept, created_at });
    } catch (error) {
      if (error instanceof DuplicateKey) throw new KeyTaken(`the key was used by a call of ${operation}`, { cause: error });
      throw error;
    }
  }
}

function keptOf({ status, body }: KeptAnswer): repo.KeptColumns {
  const kept = fits(body);
  return { status, answer: kept ? body : null, too_large: kept ? 0 : 1 };
}
