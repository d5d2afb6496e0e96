import type { Actor } from "#core/actor.ts";
import { DuplicateKey } from "#core/db/errors.ts";
import { AppError } from "#core/errors.ts";
import { bareLicence } from "#core/licence.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { Account, AccountsApi, AccountsHooks, ForgetAccount, HashingFor, NewAccount } from "./accounts.api.ts";
import { accountsChanged, accountsErrors } from "./accounts.contract.ts";
import { createPasswords } from "./accounts.password.service.ts";
import { passwordMinimum, usernameKey, usernameValid } from "./accounts.policy.ts";
import * as panel from "./accounts.panel.repo.ts";
import * as repo from "./accounts.repo.ts";

export interface AccountsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
}

/** The command line and the program itself: nobody floods these. */
const ourselves: HashingFor = { network: "", trusted: true };

function checkPassword(password: string): void {
  if (password.length < passwordMinimum) {
    throw new AppError(accountsErrors.passwordTooShort, { params: { minimum: passwordMinimum } });
  }
}

/** Runs what stores a user name; says it in words when somebody else has it. */
export async function orUsernameTaken<T>(username: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DuplicateKey && error.constraint.includes("username")) {
      throw new AppError(accountsErrors.usernameTaken, { params: { username }, cause: error });
    }
    throw error;
  }
}

export function createAccountsService(deps: AccountsDeps) {
  const passwords = createPasswords(deps.clock);
  const listeners: ((accountId: number) => void)[] = [];
  const forgetting: ForgetAccount[] = [];
  let hooks: AccountsHooks = {
    endSessions: async () => undefined,
    powersOf: () => ({ configAdmin: false, mayJobAdmin: false }),
  };

  async function hash(password: string, by: HashingFor): Promise<string> {
    checkPassword(password);
    return await passwords.hashPassword(password, by);
  }

  async function announce(tx: Tx, accountIds: readonly number[], endSessions: boolean): Promise<void> {
    if (accountIds.length === 0) return;
    if (endSessions) for (const id of accountIds) await hooks.endSessions(tx, id);
    await deps.outbox.emit(tx, accountsChanged, {
      key: `account/${accountIds[0]}`,
      version: deps.clock.now(),
      payload: { accountIds: [...accountIds], endSessions },
    });
    tx.afterCommit(() => accountIds.forEach((id) => listeners.forEach((listener) => listener(id))));
  }

  async function need(tx: Tx, username: string): Promise<Account> {
    const found = await repo.findByUsernameKey(tx, usernameKey(username));
    if (!found) throw new AppError(accountsErrors.notFound, { params: { account: username } });
    return found;
  }

  async function reread(tx: Tx, id: number): Promise<Account> {
    const account = await repo.findById(tx, id);
    if (!account) throw new Error("the account just written is not there");
    return account;
  }

  async function create(actor: Actor, account: NewAccount): Promise<Account> {
    if (!usernameValid(account.username)) throw new AppError(accountsErrors.usernameInvalid);
    const licence = bareLicence(account.licence);
    const login = {
      username: account.username,
      username_key: usernameKey(account.username),
      password_hash: await hash(account.password, ourselves),
    };
    const store = async (tx: Tx) => {
      const known = await panel.lockByLicence(tx, licence);
      if (known?.deleted_at != null) throw new AppError(accountsErrors.deleted);
      if (known?.password_hash != null) throw new AppError(accountsErrors.licenceTaken, { params: { licence } });
      const at = deps.clock.now();
      if (known) {
        const groups = account.groups === undefined ? {} : { staff_groups: JSON.stringify(account.groups) };
        await repo.update(tx, known.id, { ...login, ...groups, updated_at: at });
      } else {
        await repo.insertMany(tx, [{ licence, ...login, groups: account.groups ?? [] }], at);
      }
      const made = await repo.findByLicence(tx, licence);
      if (!made) throw new Error("the account just written is not there");
      await deps.audit.record(tx, actor, {
        action: "accounts.create",
        object: { kind: "account", id: made.id },
        after: { username: made.username, licence, groups: made.groups },
      });
      await announce(tx, [made.id], false);
      return made;
    };
    return await orUsernameTaken(account.username, async () => await deps.db.write("accounts.create", store));
  }

  async function storePassword(tx: Tx, actor: Actor, id: number, password_hash: string): Promise<void> {
    await repo.update(tx, id, { password_hash, updated_at: deps.clock.now() });
    await deps.audit.record(tx, actor, { action: "accounts.resetPassword", object: { kind: "account", id } });
    await announce(tx, [id], true);
  }

  async function rename(tx: Tx, actor: Actor, id: number, username: string): Promise<void> {
    if (!usernameValid(username)) throw new AppError(accountsErrors.usernameInvalid);
    const before = await reread(tx, id);
    await repo.update(tx, id, { username, username_key: usernameKey(username), updated_at: deps.clock.now() });
    await deps.audit.record(tx, actor, {
      action: "accounts.rename",
      object: { kind: "account", id },
      before: { username: before.username },
      after: { username },
    });
    await announce(tx, [id], false);
  }

  async function resetPassword(actor: Actor, username: string, password: string): Promise<Account> {
    const password_hash = await hash(password, ourselves);
    return await deps.db.write("accounts.resetPassword", async (tx) => {
      const account = await need(tx, username);
      await storePassword(tx, actor, account.id, password_hash);
      return await reread(tx, account.id);
    });
  }

  async function setGroups(actor: Actor, username: string, groups: readonly string[]): Promise<Account> {
    return await deps.db.write("accounts.setGroups", async (tx) => {
      const account = await need(tx, username);
      await repo.update(tx, account.id, {
        staff_groups: JSON.stringify(groups),
        updated_at: deps.clock.now(),
      });
      await deps.audit.record(tx, actor, {
        action: "accounts.setGroups",
        object: { kind: "account", id: account.id },
        before: { groups: account.groups },
        after: { groups },
      });
      await announce(tx, [account.id], false);
      return await reread(tx, account.id);
    });
  }

  const api: Omit<AccountsApi, "register" | "reset"> = {
    passwordMinimum,
    byId: repo.findById,
    byUsername: async (tx, username) => await repo.findByUsernameKey(tx, usernameKey(username)),
    byLicence: async (tx, licence) => await repo.findByLicence(tx, bareLicence(licence)),
    list: repo.listAll,
    passwordHash: repo.readPasswordHash,
    passwordMatches: passwords.passwordMatches,
    refuseStrangersWhenFull: passwords.refuseStrangersWhenFull,
    hashPassword: hash,
    storePassword,
    rename,
    rememberCharacter: repo.setLastCharacter,
    create,
    resetPassword,
    setGroups,
    attach: (given) => void (hooks = given),
    onGone: (forget) => void forgetting.push(forget),
    onChange: (listener) => void listeners.push(listener),
  };
  async function forgetAll(tx: Tx, ids: readonly number[]): Promise<void> {
    for (const id of ids) for (const forget of forgetting) await forget(tx, id);
    await panel.remove(tx, ids);
  }

  return { api, announce, hooks: () => hooks, forgetAll };
}

export type AccountsService = ReturnType<typeof createAccountsService>;
