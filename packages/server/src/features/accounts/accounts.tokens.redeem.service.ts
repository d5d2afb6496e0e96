import type { Actor, LinkActor } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { AdminsService } from "./accounts.admins.service.ts";
import type { Account, HashingCaller } from "./accounts.api.ts";
import type { AccountChanges } from "./accounts.changes.service.ts";
import { accountsErrors, type TokenKind, tokenLinks } from "./accounts.contract.ts";
import { mapDuplicateUsername } from "./accounts.logins.service.ts";
import * as panel from "./accounts.panel.repo.ts";
import type { PasswordsService } from "./accounts.passwords.service.ts";
import { usernameKey, usernameValid } from "./accounts.policy.ts";
import * as repo from "./accounts.repo.ts";
import { refusalOf } from "./accounts.states.policy.ts";
import type { AccountTokens } from "./accounts.tokens.service.ts";

export interface TokenRedemptionDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly admins: AdminsService;
  readonly changes: AccountChanges;
  readonly passwords: PasswordsService;
  readonly tokens: AccountTokens;
}

/** Redeems tokens: registers an account, or sets another password. */
export class TokenRedemptionService {
  readonly #deps: TokenRedemptionDeps;

  constructor(deps: TokenRedemptionDeps) {
    this.#deps = deps;
  }

  async register(
    actor: Actor,
    input: { token: string; username: string; password: string },
    caller: HashingCaller,
  ): Promise<Account> {
    const { db, passwords, settings } = this.#deps;
    if (!(await settings.current()).auth.signUp) throw new AppError(accountsErrors.signUpOff);
    await this.#checkUsable(input.token, "register");
    const { username } = input;
    if (!usernameValid(username)) throw new AppError(accountsErrors.usernameInvalid);
    const hash = await passwords.hash(input.password, caller);
    const store = async (tx: Tx) => await this.#storeRegistration(tx, actor, { token: input.token, username, hash });
    return await mapDuplicateUsername(username, async () => await db.write("accounts.register", store));
  }

  async reset(actor: Actor, input: { token: string; password: string }, caller: HashingCaller): Promise<Account> {
    const { db, passwords } = this.#deps;
    await this.#checkUsable(input.token, "reset");
    const hash = await passwords.hash(input.password, caller);
    return await db.write("accounts.reset", async (tx) => {
      const { id } = await this.#use(tx, input.token, "reset");
      await passwords.store(tx, actor, id, hash);
      return await repo.readWritten(tx, id);
    });
  }

  /** What the page of a token shows. */
  async open({ link, subject }: LinkActor): Promise<{ kind: TokenKind; username: string | null }> {
    const kind = link === tokenLinks.register.id ? "register" : "reset";
    const account = await this.#deps.db.read("accounts.openToken", async (tx) => await repo.findById(tx, Number(subject)));
    if (account?.enabled !== true) throw new AppError(guardErrors.linkInvalid);
    return { kind, username: account.username };
  }

  async #storeRegistration(
    tx: Tx,
    actor: Actor,
    { token, username, hash }: { token: string; username: string; hash: string },
  ): Promise<Account> {
    const { audit, changes, clock, tokens } = this.#deps;
    const { id } = await this.#use(tx, token, "register");
    const holder = await repo.findByUsernameKey(tx, usernameKey(username));
    if (holder !== null && holder.id !== id) throw new AppError(accountsErrors.usernameTaken, { params: { username } });
    await repo.update(tx, id, {
      username,
      username_key: usernameKey(username),
      password_hash: hash,
      updated_at: clock.now(),
    });
    await tokens.end(tx, [id]);
    await audit.record(tx, actor, {
      action: "auth.register",
      object: { kind: "account", id },
      after: { username },
    });
    await changes.emitChanged(tx, [id], ["username", "password_hash"]);
    return await repo.readWritten(tx, id);
  }

  /** Before anything is hashed: only the holder of a token can cause that work. */
  async #checkUsable(text: string, kind: TokenKind): Promise<void> {
    const { db, tokens } = this.#deps;
    await db.read("accounts.token", async (tx) => await tokens.check(tx, text, kind));
  }

  /** Uses a token up and returns its account; the error does not reveal why a token is not valid. */
  async #use(tx: Tx, text: string, kind: TokenKind): Promise<Account> {
    const { accountId, bySync } = await this.#deps.tokens.use(tx, text, kind);
    const account = await repo.findById(tx, accountId);
    if (account === null || refusalOf({ ...account, deleted: false }, kind) !== null)
      throw new AppError(accountsErrors.tokenNotValid);
    if (bySync) await this.#refuseOutOfReach(tx, accountId);
    return account;
  }

  /** The account may have gained powers after the game server got the token. */
  async #refuseOutOfReach(tx: Tx, id: number): Promise<void> {
    const row = await panel.findAny(tx, id);
    if (row === null || (await this.#deps.admins.outOfReach(tx, row))) throw new AppError(accountsErrors.tokenNotValid);
  }
}
