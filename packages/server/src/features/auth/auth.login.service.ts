import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Ids, Tx } from "#core/ports/index.ts";
import type { Account, AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { authErrors } from "./auth.contract.ts";
import { cookieProblem } from "./auth.cookie.policy.ts";
import * as repo from "./auth.repo.ts";
import { sessionIdleMs, storedId } from "./auth.sessions.service.ts";
import { afterFailure, type CounterKind, noFailures, waitFor } from "./auth.throttle.policy.ts";

export interface LoginDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly cookie: { readonly domain: string; readonly publicUrl: string };
}

type Subjects = Readonly<Record<CounterKind, string>>;

function subjectsOf(username: string, address: string): Subjects {
  const name = username.normalize("NFKC").toLowerCase().slice(0, 64);
  return {
    pair: `pair ${address} ${name}`.slice(0, 150),
    address: `address ${address}`,
    account: `account ${name}`,
  };
}

/**
 * Sign-in with user name and password. Throttled before anything is hashed; a wrong name takes as
 * long as a wrong password and says the same.
 */
export function createLogin(deps: LoginDeps) {
  async function prepare(username: string, subjects: Subjects, address: string) {
    return await deps.db.read("auth.login", async (tx) => {
      const account = await deps.accounts.byUsername(tx, username);
      const counters = await repo.readCounters(tx, Object.values(subjects));
      const known = account !== null && (await repo.knowsAddress(tx, account.id, address));
      const wait = waitFor(
        {
          pair: counters.get(subjects.pair) ?? noFailures,
          address: counters.get(subjects.address) ?? noFailures,
          account: counters.get(subjects.account) ?? noFailures,
        },
        known,
        deps.clock.now(),
      );
      return {
        account,
        wait,
        hash: account === null ? null : await deps.accounts.passwordHash(tx, account.id),
      };
    });
  }

  async function countFailure(tx: Tx, subjects: Subjects): Promise<void> {
    const now = deps.clock.now();
    for (const kind of Object.keys(subjects) as CounterKind[]) {
      const counter = await repo.lockCounter(tx, subjects[kind]);
      await repo.putCounter(tx, subjects[kind], afterFailure(kind, counter, now));
    }
  }

  async function refuse(actor: Actor, username: string, subjects: Subjects | null, why: string): Promise<void> {
    await deps.db.write("auth.loginFailed", async (tx) => {
      if (subjects) await countFailure(tx, subjects);
      await deps.audit.recordFolded(tx, actor, {
        action: "auth.login",
        result: "denied",
        object: { kind: "account", id: username.slice(0, 64) },
        info: { why },
      });
    });
  }

  async function open(call: CallContext, account: Account, method: string, subjects: Subjects | null): Promise<string> {
    const secret = deps.ids.secret(32);
    const now = deps.clock.now();
    await deps.db.write("auth.login", async (tx) => {
      await repo.insertSession(tx, {
        id: storedId(secret),
        accountId: account.id,
        at: now,
        expiresAt: now + sessionIdleMs,
        address: call.address,
        userAgent: call.userAgent,
      });
      if (subjects) await repo.deleteCounter(tx, subjects.pair);
      await repo.rememberAddress(tx, account.id, call.address, now);
      await deps.audit.record(tx, call.actor, {
        action: "auth.login",
        object: { kind: "account", id: account.id },
        info: { username: account.username, method },
      });
    });
    return secret;
  }

  function refuseLostCookie(call: CallContext): void {
    const problem = cookieProblem(call.headers.origin, deps.cookie);
    if (problem) throw new AppError(authErrors.cookieCannotStick, { params: problem });
  }

  /** For an account that something else than a password vouched for; gives the secret for the cookie. */
  async function openFor(call: CallContext, accountId: number, method: string): Promise<string> {
    refuseLostCookie(call);
    const account = await deps.db.read("auth.signIn", async (tx) => await deps.accounts.byId(tx, accountId));
    if (account?.enabled !== true) {
      await refuse(call.actor, account?.username ?? String(accountId), null, "account disabled");
      throw new AppError(authErrors.accountDisabled);
    }
    return await open(call, account, method, null);
  }

  /** Signs in and gives the secret for the cookie. */
  async function login(call: CallContext, username: string, password: string): Promise<{ account: Account; secret: string }> {
    refuseLostCookie(call);
    const subjects = subjectsOf(username, call.address);
    const { account, wait, hash } = await prepare(username, subjects, call.address);
    if (wait > 0) {
      await refuse(call.actor, username, null, "throttled");
      throw new AppError(authErrors.throttled, { params: { seconds: Math.ceil(wait / 1000) } });
    }
    if (!(await deps.accounts.passwordMatches(hash, password)) || account === null) {
      await refuse(call.actor, username, subjects, account === null ? "unknown user name" : "wrong password");
      throw new AppError(authErrors.wrongPassword);
    }
    if (!account.enabled) {
      await refuse(call.actor, username, null, "account disabled");
      throw new AppError(authErrors.accountDisabled);
    }
    return { account, secret: await open(call, account, "password", subjects) };
  }

  return { login, openFor };
}
