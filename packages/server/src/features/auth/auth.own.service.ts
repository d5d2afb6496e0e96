import { writeAnew } from "#core/db/anew.ts";
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
import { type Login, type LoginDeps, trusted } from "./auth.login.service.ts";
import * as repo from "./auth.repo.ts";
import { sessionIdleMs, type Sessions, storedId } from "./auth.sessions.service.ts";
import { ownSubjects } from "./auth.throttle.service.ts";

export interface OwnDeps extends LoginDeps {
  readonly sessions: Sessions;
  readonly settings: SettingsApi;
  readonly login: Login;
}

/** Throws unless the password of the calling account is right; throttled like signing in. */
export function createPasswordCheck(deps: OwnDeps) {
  return async function confirmPassword(call: CallContext, password: string): Promise<void> {
    const { accountId } = call.account();
    const subjects = ownSubjects(accountId);
    const { wait, hash } = await deps.db.read("auth.ownPassword", async (tx) => ({
      wait: await deps.throttle.wait(tx, subjects, true),
      hash: await deps.accounts.passwordHash(tx, accountId),
    }));
    if (wait > 0) throw deps.throttle.error(wait);
    if (await deps.accounts.passwordMatches(hash, password, trusted(accountId))) return;
    await deps.db.write("auth.ownPasswordFailed", async (tx) => {
      await deps.throttle.fail(tx, subjects);
      await deps.audit.recordFolded(tx, call.actor, {
        action: "auth.confirmPassword",
        result: "denied",
        object: { kind: "account", id: accountId },
        info: { why: "wrong password" },
      });
    });
    throw new AppError(authErrors.passwordRefused);
  };
}

/** What people do with their own account and sessions, and config admins with those of others. */
export function createOwnService(
  deps: OwnDeps & { readonly factor: FactorService; readonly confirmPassword: ReturnType<typeof createPasswordCheck> },
) {
  const { sessions, confirmPassword } = deps;
  const { passwordMinimum } = deps.accounts;

  async function infoOf(sessionId: string): Promise<AccountInfo> {
    const info = await sessions.info(sessionId);
    if (!info) throw new AppError(authErrors.sessionUnknown);
    return info;
  }

  async function list(tx: Tx, accountId: number, current: string | null): Promise<SessionInfo[]> {
    const rows = await repo.listSessions(tx, accountId, deps.clock.now());
    return rows.map((row) => ({
      id: row.id,
      current: row.id === current,
      ...deviceOf(row.user_agent),
      address: row.address,
      createdAt: row.created_at,
      lastSeenAt: Math.max(row.last_seen_at, sessions.usedAt(row.id)),
    }));
  }

  async function end(
    call: CallContext,
    accountId: number,
    action: string,
    which: { only?: string; except?: string },
  ): Promise<{ ended: number }> {
    return await deps.db.write(action, async (tx) => {
      const ids = await repo.endSessionsOf(tx, accountId, deps.clock.now(), which);
      if (ids.length === 0 && which.only !== undefined) throw new AppError(authErrors.sessionUnknown);
      await deps.audit.record(tx, call.actor, {
        action,
        object: { kind: "account", id: accountId },
        info: { sessions: ids.map((id) => id.slice(0, 12)) },
      });
      await deps.announce(tx, ids);
      return { ended: ids.length };
    });
  }

  /** `factor`: whether the account has one; without it the sign-in is through at once. */
  function answer(state: SignInState, account: Account, factor = false): SignedIn {
    return state === "factorNeeded"
      ? { factorNeeded: true }
      : { factorNeeded: false, account: sessions.infoFor(account, factor) };
  }

  return {
    answer,

    options: async () => ({ signUp: (await deps.settings.current()).auth.signUp, passwordMinimum }),

    async register(call: CallContext, input: { token: string; username: string; password: string }): Promise<SignedIn> {
      const { account, state } = await deps.login.byToken(
        call,
        "registration",
        async (by) => await deps.accounts.register(call.actor, input, by),
      );
      return answer(state, account);
    },

    async reset(call: CallContext, input: { token: string; password: string }): Promise<SignedIn> {
      const { account, state } = await deps.login.byToken(
        call,
        "reset",
        async (by) => await deps.accounts.reset(call.actor, input, by),
      );
      return answer(state, account);
    },

    async account(call: CallContext) {
      const { accountId, sessionId, licence, groups } = call.account();
      const found = await deps.db.read("auth.account", async (tx) => await deps.accounts.byId(tx, accountId));
      return {
        account: await infoOf(sessionId),
        licence,
        groups: [...groups],
        createdAt: found?.createdAt ?? 0,
        passwordMinimum,
      };
    },

    async changeUsername(call: CallContext, input: { username: string; password: string }): Promise<AccountInfo> {
      const { accountId, sessionId } = call.account();
      await confirmPassword(call, input.password);
      await writeAnew(deps.db, "auth.changeUsername", async (tx) => {
        const holder = await deps.accounts.byUsername(tx, input.username);
        if (holder !== null && holder.id !== accountId) {
          throw new AppError(accountsErrors.usernameTaken, { params: { username: input.username } });
        }
        await deps.accounts.rename(tx, call.actor, accountId, input.username);
      });
      return await infoOf(sessionId);
    },

    /** All sessions end; this browser gets a new one in the same unit of work. */
    async changePassword(call: CallContext, input: { password: string; newPassword: string }): Promise<void> {
      const { accountId } = call.account();
      await confirmPassword(call, input.password);
      const hash = await deps.accounts.hashPassword(input.newPassword, trusted(accountId));
      const secret = deps.ids.secret(32);
      await deps.db.write("auth.changePassword", async (tx) => {
        await deps.accounts.storePassword(tx, call.actor, accountId, hash);
        const at = deps.clock.now();
        await repo.insertSession(tx, {
          id: storedId(secret),
          accountId,
          at,
          expiresAt: at + sessionIdleMs,
          address: call.address,
          userAgent: call.userAgent,
        });
      });
      call.cookies.setSession(secret);
    },

    async sessions(call: CallContext) {
      const { accountId, sessionId } = call.account();
      return { sessions: await deps.db.read("auth.sessions", async (tx) => await list(tx, accountId, sessionId)) };
    },

    async revoke(call: CallContext, only: string): Promise<void> {
      const { accountId, sessionId } = call.account();
      await end(call, accountId, "auth.revokeSession", { only });
      if (only === sessionId) call.cookies.setSession(null);
    },

    async revokeOthers(call: CallContext) {
      const { accountId, sessionId } = call.account();
      return await end(call, accountId, "auth.revokeOtherSessions", { except: sessionId });
    },

    async ofAccount(accountId: number) {
      return await deps.db.read("auth.signInOf", async (tx) => ({
        sessions: await list(tx, accountId, null),
        ...(await deps.factor.stateOf(tx, accountId)),
      }));
    },

    revokeOf: async (call: CallContext, accountId: number, only: string): Promise<void> =>
      void (await end(call, accountId, "auth.revokeSessionOf", { only })),

    revokeAllOf: async (call: CallContext, accountId: number) => await end(call, accountId, "auth.revokeSessionsOf", {}),
  };
}
