import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { Account, HashingCaller } from "./accounts.api.ts";
import type { AccountChanges } from "./accounts.changes.service.ts";
import { accountsErrors } from "./accounts.contract.ts";
import type { PasswordHashing } from "./accounts.hashing.service.ts";
import { internalCaller, passwordMaximum, passwordMinimum } from "./accounts.policy.ts";
import * as repo from "./accounts.repo.ts";
import { requirePossible } from "./accounts.states.policy.ts";
import type { AccountTokens } from "./accounts.tokens.service.ts";

export interface PasswordsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly changes: AccountChanges;
  readonly hashing: PasswordHashing;
  readonly tokens: AccountTokens;
}

/** Sets passwords. */
export class PasswordsService {
  readonly #deps: PasswordsDeps;

  constructor(deps: PasswordsDeps) {
    this.#deps = deps;
  }

  /** Outside any unit of work. Throws `accounts.passwordTooShort`, `accounts.passwordTooLong` and `accounts.busy`. */
  async hash(password: string, caller: HashingCaller): Promise<string> {
    if (password.length < passwordMinimum) {
      throw new AppError(accountsErrors.passwordTooShort, { params: { minimum: passwordMinimum } });
    }
    if (password.length > passwordMaximum)
      throw new AppError(accountsErrors.passwordTooLong, { params: { maximum: passwordMaximum } });
    return await this.#deps.hashing.hash(password, caller);
  }

  /** Ends every session and token of the account. */
  async store(tx: Tx, actor: Actor, id: number, password_hash: string): Promise<void> {
    const { audit, changes, clock, tokens } = this.#deps;
    await repo.update(tx, id, { password_hash, updated_at: clock.now() });
    await tokens.end(tx, [id]);
    await audit.record(tx, actor, { action: "accounts.resetPassword", object: { kind: "account", id } });
    await changes.emitChanged(tx, [id], ["password_hash"], true);
  }

  async reset(actor: Actor, username: string, password: string): Promise<Account> {
    const password_hash = await this.hash(password, internalCaller);
    return await this.#deps.db.write("accounts.resetPassword", async (tx) => {
      const account = await repo.requireByUsername(tx, username);
      requirePossible({ ...account, deleted: false }, "setPassword");
      const { id } = account;
      await this.store(tx, actor, id, password_hash);
      return await repo.readWritten(tx, id);
    });
  }
}
