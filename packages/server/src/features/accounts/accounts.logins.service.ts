import type { Actor } from "#core/actor.ts";
import { DuplicateKey } from "#core/db/errors.ts";
import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import { bareLicence } from "#core/licence.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { AdminsService } from "./accounts.admins.service.ts";
import type { Account, NewAccount } from "./accounts.api.ts";
import type { AccountChanges } from "./accounts.changes.service.ts";
import { accountsErrors } from "./accounts.contract.ts";
import * as panel from "./accounts.panel.repo.ts";
import type { PasswordsService } from "./accounts.passwords.service.ts";
import { groupColumns, internalCaller, usernameKey, usernameValid } from "./accounts.policy.ts";
import * as repo from "./accounts.repo.ts";
import { factsOf, refusalOf } from "./accounts.states.policy.ts";
import type { AccountTokens } from "./accounts.tokens.service.ts";

export interface LoginsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly admins: AdminsService;
  readonly changes: AccountChanges;
  readonly passwords: PasswordsService;
  readonly tokens: AccountTokens;
}

/** Runs what stores a user name. Throws `accounts.usernameTaken` when another account has it. */
export async function mapDuplicateUsername<T>(username: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DuplicateKey && error.constraint.includes("username")) {
      throw new AppError(accountsErrors.usernameTaken, { params: { username }, cause: error });
    }
    throw error;
  }
}

/** Logins: an account with user name and password. */
export class LoginsService {
  readonly #deps: LoginsDeps;

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
  }

  async create(actor: Actor, account: NewAccount, before: (tx: Tx) => Promise<void> = async () => undefined): Promise<Account> {
    if (!usernameValid(account.username)) throw new AppError(accountsErrors.usernameInvalid);
    const { admins, audit, changes, db, passwords } = this.#deps;
    const login = {
      username: account.username,
      username_key: usernameKey(account.username),
      password_hash: await passwords.hash(account.password, internalCaller),
    };
    const store = async (tx: Tx) => {
      await before(tx);
      const created = await this.#store(tx, account, login);
      await audit.record(tx, actor, {
        action: "accounts.create",
        object: { kind: "account", id: created.id },
        after: { username: created.username, licence: created.licence, groups: created.groups },
      });
      await admins.reconcileAdmins(tx, actor, [created.id]);
      await changes.emitChanged(tx, [created.id], ["username", "password_hash", "staff_groups", "confirmed_groups"]);
      return created;
    };
    // Of two at once for one licence, the second finds the account of the first when it is repeated.
    return await mapDuplicateUsername(account.username, async () => await retryOnDuplicate(db, "accounts.create", store));
  }

  async rename(tx: Tx, actor: Actor, id: number, username: string): Promise<void> {
    if (!usernameValid(username)) throw new AppError(accountsErrors.usernameInvalid);
    const { audit, changes, clock } = this.#deps;
    const before = await repo.readWritten(tx, id);
    await repo.update(tx, id, { username, username_key: usernameKey(username), updated_at: clock.now() });
    await audit.record(tx, actor, {
      action: "accounts.rename",
      object: { kind: "account", id },
      before: { username: before.username },
      after: { username },
    });
    await changes.emitChanged(tx, [id], ["username"]);
  }

  /** The character that an account chose last. */
  async rememberCharacter(tx: Tx, id: number, characterId: number): Promise<void> {
    await repo.setLastCharacter(tx, id, characterId);
    await this.#deps.changes.emitChanged(tx, [id], ["last_character_id"]);
  }

  async #store(
    tx: Tx,
    account: NewAccount,
    login: { readonly username: string; readonly username_key: string; readonly password_hash: string },
  ): Promise<Account> {
    const licence = bareLicence(account.licence);
    const known = await panel.lockByLicence(tx, licence);
    const refusal = known === null ? null : refusalOf(factsOf(known), "createLogin");
    if (refusal === "alreadyRegistered") throw new AppError(accountsErrors.licenceTaken, { params: { licence } });
    if (refusal !== null) throw new AppError(accountsErrors[refusal]);
    const { clock, tokens } = this.#deps;
    const at = clock.now();
    if (known) {
      const groups = account.groups === undefined ? {} : groupColumns(account.groups);
      await repo.update(tx, known.id, { ...login, ...groups, updated_at: at });
      await tokens.end(tx, [known.id]);
    } else {
      const groups = account.groups ?? [];
      await repo.insertLogin(tx, { licence, ...login, groups, confirmedGroups: groups }, at);
    }
    const stored = await repo.findByLicence(tx, licence);
    if (!stored) throw new Error("the account just written is missing");
    return stored;
  }
}
