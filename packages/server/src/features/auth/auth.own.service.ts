import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Account } from "#features/accounts/accounts.api.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { SignInState } from "./auth.api.ts";
import { type AccountInfo, authErrors, type SessionInfo, type SignedIn } from "./auth.contract.ts";
import { deviceOf } from "./auth.device.policy.ts";
import type { FactorService } from "./auth.factor.service.ts";
import { knownCaller } from "./auth.guard.service.ts";
import type { LoginService } from "./auth.login.service.ts";
import type { OpenerDeps } from "./auth.open.service.ts";
import type { PasswordCheck } from "./auth.password.service.ts";
import * as repo from "./auth.repo.ts";
import { longestOf, sessionIdleMs, type SessionsService, storedId } from "./auth.sessions.service.ts";

export interface OwnAccountDeps extends OpenerDeps {
  readonly sessions: SessionsService;
  readonly settings: SettingsApi;
  readonly login: LoginService;
  readonly factor: FactorService;
  readonly passwordCheck: PasswordCheck;
}

/** What people do with their own account and sessions, and config admins with the sessions of others. */
export class OwnAccountService {
  readonly #deps: OwnAccountDeps;

  constructor(deps: OwnAccountDeps) {
    this.#deps = deps;
  }

  answer(state: SignInState, account: Account, factorShown = false): SignedIn {
    return state === "factorNeeded"
      ? { factorNeeded: true }
      : { factorNeeded: false, account: this.#deps.sessions.infoFor(account, factorShown) };
  }

  async options() {
    const { accounts, settings } = this.#deps;
    return { signUp: (await settings.current()).auth.signUp, passwordMinimum: accounts.passwordMinimum };
  }

  async register(call: CallContext, input: { token: string; username: string; password: string }): Promise<SignedIn> {
    const { accounts, login } = this.#deps;
    const redeemed = await login.byToken(
      call,
      "registration",
      async (caller) => await accounts.register(call.actor, input, caller),
    );
    return this.answer(redeemed.state, redeemed.account);
  }

  async reset(call: CallContext, input: { token: string; password: string }): Promise<SignedIn> {
    const { accounts, login } = this.#deps;
    const redeemed = await login.byToken(call, "reset", async (caller) => await accounts.reset(call.actor, input, caller));
    return this.answer(redeemed.state, redeemed.account);
  }

  async account(call: CallContext) {
    const { accounts, db } = this.#deps;
    const { accountId, sessionId, licence, groups } = call.account();
    const found = await db.read("auth.account", async (tx) => await accounts.byId(tx, accountId));
    return {
      account: await this.#infoOf(sessionId),
      licence,
      groups: [...groups],
      createdAt: found?.createdAt ?? 0,
      passwordMinimum: accounts.passwordMinimum,
    };
  }

  async changeUsername(call: CallContext, input: { username: string; password: string }): Promise<AccountInfo> {
    const { accounts, db, passwordCheck } = this.#deps;
    const { accountId, sessionId } = call.account();
    await passwordCheck.confirm(call, input.password);
    await retryOnDuplicate(db, "auth.changeUsername", async (tx) => {
      const holder = await accounts.byUsername(tx, input.username);
      if (holder !== null && holder.id !== accountId) {
        throw new AppError(accountsErrors.usernameTaken, { params: { username: input.username } });
      }
      await accounts.rename(tx, call.actor, accountId, input.username);
    });
    return await this.#infoOf(sessionId);
  }

  /** All sessions end; this browser gets a new one in the same unit of work, with the method and factor of the old one. */
  async changePassword(call: CallContext, input: { password: string; newPassword: string }): Promise<void> {
    const { accounts, clock, db, ids, passwordCheck, secretsFingerprint } = this.#deps;
    const { accountId, sessionId } = call.account();
    await passwordCheck.confirm(call, input.password);
    const hash = await accounts.hashPassword(input.newPassword, knownCaller(accountId));
    const secret = ids.secret(32);
    await db.write("auth.changePassword", async (tx) => {
      const before = await repo.findSession(tx, sessionId);
      await accounts.storePassword(tx, call.actor, accountId, hash);
      const accountEpoch = await this.#epochOf(tx, accountId);
      const at = clock.now();
      await repo.insertSession(tx, {
        id: storedId(secret),
        accountId,
        at,
        expiresAt: at + sessionIdleMs,
        address: call.address,
        userAgent: call.userAgent,
        openedBy: before?.opened_by ?? null,
        factorAt: before?.factor_at ?? null,
        secrets: secretsFingerprint(),
        accountEpoch,
      });
    });
    call.cookies.setSession(secret);
  }

  async sessions(call: CallContext) {
    const { accountId, sessionId } = call.account();
    return {
      sessions: await this.#deps.db.read("auth.sessions", async (tx) => await this.#list(tx, accountId, sessionId)),
    };
  }

  async revoke(call: CallContext, only: string): Promise<void> {
    const { accountId, sessionId } = call.account();
    await this.#end(call, accountId, "auth.revokeSession", { only });
    if (only === sessionId) call.cookies.setSession(null);
  }

  async revokeOthers(call: CallContext) {
    const { accountId, sessionId } = call.account();
    return await this.#end(call, accountId, "auth.revokeOtherSessions", { except: sessionId });
  }

  async ofAccount(accountId: number) {
    return await this.#deps.db.read("auth.signInOf", async (tx) => ({
      sessions: await this.#list(tx, accountId, null),
      ...(await this.#deps.factor.stateOf(tx, accountId)),
    }));
  }

  async revokeOf(call: CallContext, accountId: number, only: string): Promise<void> {
    await this.#end(call, accountId, "auth.revokeSessionOf", { only });
  }

  async revokeAllOf(call: CallContext, accountId: number) {
    return await this.#end(call, accountId, "auth.revokeSessionsOf", {});
  }

  async #infoOf(sessionId: string): Promise<AccountInfo> {
    const info = await this.#deps.sessions.info(sessionId);
    if (!info) throw new AppError(authErrors.sessionUnknown);
    return info;
  }

  /** No session has the epoch of an account that was deleted. */
  async #epochOf(tx: Tx, accountId: number): Promise<number> {
    return (await this.#deps.accounts.byId(tx, accountId))?.sessionEpoch ?? -1;
  }

  async #list(tx: Tx, accountId: number, current: string | null): Promise<SessionInfo[]> {
    const { clock, sessions, settings } = this.#deps;
    const now = clock.now();
    const epoch = await this.#epochOf(tx, accountId);
    const openedAfter = now - longestOf((await settings.read(tx)).auth);
    const rows = await repo.listSessions(tx, accountId, { epoch, openedAfter, now });
    return rows.map((row) => ({
      id: row.id,
      current: row.id === current,
      ...deviceOf(row.user_agent),
      address: row.address,
      createdAt: row.created_at,
      lastSeenAt: Math.max(row.last_seen_at, sessions.usedAt(row.id)),
    }));
  }

  async #end(
    call: CallContext,
    accountId: number,
    action: string,
    which: { only?: string; except?: string },
  ): Promise<{ ended: number }> {
    const { emitChanged, audit, clock, db } = this.#deps;
    return await db.write(action, async (tx) => {
      const ids = await repo.endSessionsOf(tx, accountId, await this.#epochOf(tx, accountId), clock.now(), which);
      if (ids.length === 0 && which.only !== undefined) throw new AppError(authErrors.sessionUnknown);
      await audit.record(tx, call.actor, {
        action,
        object: { kind: "account", id: accountId },
        info: { sessions: ids.map((id) => id.slice(0, 12)) },
      });
      await emitChanged(tx, ids);
      return { ended: ids.length };
    });
  }
}
