import { createHash } from "node:crypto";
import type { Actor } from "#core/actor.ts";
import { readableCode, typedCode } from "#core/codes.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import type { Ids, Tx } from "#core/ports/index.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { Account, HashingFor } from "./accounts.api.ts";
import { accountsErrors, type IssuedToken, type TokenKind } from "./accounts.contract.ts";
import * as panel from "./accounts.panel.repo.ts";
import { tokenMs, tokenRefusal, usernameKey, usernameValid } from "./accounts.policy.ts";
import * as repo from "./accounts.repo.ts";
import { type AccountsDeps, type AccountsService, orUsernameTaken } from "./accounts.service.ts";
import * as tokens from "./accounts.tokens.repo.ts";

export interface TokensDeps extends AccountsDeps {
  readonly ids: Ids;
  readonly settings: SettingsApi;
  readonly accounts: AccountsService;
  /** Where the pages are that take tokens. */
  readonly publicUrl: string;
}

function hashOf(token: string): string {
  return createHash("sha256")
    .update(`rollcall account token\n${typedCode(token)}`)
    .digest("hex");
}

function nameOf(actor: Actor): string {
  if (actor.kind === "sync") return `sync ${actor.tokenFingerprint}`;
  if (actor.kind === "cli") return actor.user;
  return "username" in actor ? actor.username : actor.kind;
}

/** Tokens with which people register and set another password. */
export function createTokensService(deps: TokensDeps) {
  /** In the caller's unit of work, so that an account and its first token come together. */
  async function issueFor(tx: Tx, actor: Actor, account: panel.PanelRow, kind: TokenKind): Promise<IssuedToken> {
    if (kind === "register" && !(await deps.settings.read(tx)).auth.signUp) throw new AppError(accountsErrors.signUpOff);
    const refusal = tokenRefusal(kind, {
      username: account.username,
      hasPassword: account.password_hash !== null,
      enabled: account.enabled === 1,
      deleted: account.deleted_at !== null,
    });
    if (refusal === "alreadyRegistered") {
      throw new AppError(accountsErrors.alreadyRegistered, { params: { username: account.username ?? "" } });
    }
    if (refusal !== null) throw new AppError(accountsErrors[refusal]);
    const token = readableCode(Buffer.from(deps.ids.secret(32), "base64url"));
    const at = deps.clock.now();
    const expiresAt = at + tokenMs[kind];
    await tokens.replaceToken(tx, { hash: hashOf(token), kind, accountId: account.id, by: nameOf(actor), at, expiresAt });
    await deps.audit.record(tx, actor, {
      action: "accounts.issueToken",
      object: { kind: "account", id: account.id },
      info: { kind, expiresAt },
    });
    const url = `${deps.publicUrl.replace(/\/$/, "")}/${kind}#${token}`;
    return { token, url, expiresAt, accountId: account.id, username: account.username };
  }

  async function made(tx: Tx, actor: Actor, licence: string): Promise<panel.PanelRow> {
    const known = await panel.lockByLicence(tx, licence);
    if (known) return known;
    await repo.insertMany(tx, [{ licence, groups: [] }], deps.clock.now());
    const row = await panel.lockByLicence(tx, licence);
    if (!row) throw new Error("the account just written is not there");
    await deps.audit.record(tx, actor, {
      action: "accounts.create",
      object: { kind: "account", id: row.id },
      after: { licence },
    });
    return row;
  }

  function usable(token: tokens.TokenRow | null, kind: TokenKind): tokens.TokenRow {
    if (token?.kind !== kind || token.used_at !== null || token.expires_at <= deps.clock.now()) {
      throw new AppError(accountsErrors.tokenNotValid);
    }
    return token;
  }

  /** Marks it used and gives its account; the answer does not tell why a token is not valid. */
  async function use(tx: Tx, text: string, kind: TokenKind): Promise<Account> {
    const token = usable(await tokens.lockToken(tx, hashOf(text)), kind);
    const account = await repo.findById(tx, token.account_id);
    const open = kind === "register" ? account?.hasPassword === false : account?.username != null;
    if (account?.enabled !== true || !open) throw new AppError(accountsErrors.tokenNotValid);
    await tokens.markUsed(tx, token.id, deps.clock.now());
    return account;
  }

  /** Before anything is hashed: only the holder of a token makes us work. */
  async function look(text: string, kind: TokenKind): Promise<void> {
    usable(await deps.db.read("accounts.token", async (tx) => await tokens.findToken(tx, hashOf(text))), kind);
  }

  async function changed(tx: Tx, id: number): Promise<Account> {
    const account = await repo.findById(tx, id);
    if (!account) throw new Error("the account just written is not there");
    return account;
  }

  return {
    issueFor,
    made,

    issueByLicence: async (call: CallContext, input: { licence: string; kind: TokenKind }): Promise<IssuedToken> =>
      await deps.db.write("accounts.syncToken", async (tx) => {
        const account = await made(tx, call.actor, bareLicence(input.licence));
        return await issueFor(tx, call.actor, account, input.kind);
      }),

    async register(actor: Actor, input: { token: string; username: string; password: string }, by: HashingFor): Promise<Account> {
      if (!(await deps.settings.current()).auth.signUp) throw new AppError(accountsErrors.signUpOff);
      await look(input.token, "register");
      const { username } = input;
      if (!usernameValid(username)) throw new AppError(accountsErrors.usernameInvalid);
      const password_hash = await deps.accounts.api.hashPassword(input.password, by);
      const store = async (tx: Tx) => {
        const { id } = await use(tx, input.token, "register");
        const holder = await repo.findByUsernameKey(tx, usernameKey(username));
        if (holder !== null && holder.id !== id) throw new AppError(accountsErrors.usernameTaken, { params: { username } });
        await repo.update(tx, id, {
          username,
          username_key: usernameKey(username),
          password_hash,
          updated_at: deps.clock.now(),
        });
        await deps.audit.record(tx, actor, {
          action: "auth.register",
          object: { kind: "account", id },
          after: { username },
        });
        await deps.accounts.announce(tx, [id], false);
        return await changed(tx, id);
      };
      return await orUsernameTaken(username, async () => await deps.db.write("accounts.register", store));
    },

    async reset(actor: Actor, input: { token: string; password: string }, by: HashingFor): Promise<Account> {
      await look(input.token, "reset");
      const hash = await deps.accounts.api.hashPassword(input.password, by);
      return await deps.db.write("accounts.reset", async (tx) => {
        const { id } = await use(tx, input.token, "reset");
        await deps.accounts.api.storePassword(tx, actor, id, hash);
        return await changed(tx, id);
      });
    },
  };
}

export type TokensService = ReturnType<typeof createTokensService>;
