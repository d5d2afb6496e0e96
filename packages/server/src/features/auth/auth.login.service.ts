import { createHash } from "node:crypto";
import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Ids, Tx } from "#core/ports/index.ts";
import type { Account, AccountsApi, HashingFor } from "#features/accounts/accounts.api.ts";
import { accountsErrors } from "#features/accounts/accounts.contract.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import type { SignInState } from "./auth.api.ts";
import { authErrors, newDevice } from "./auth.contract.ts";
import { cookieProblem } from "./auth.cookie.policy.ts";
import { deviceOf } from "./auth.device.policy.ts";
import * as factors from "./auth.factor.repo.ts";
import * as repo from "./auth.repo.ts";
import { sessionIdleMs, storedId } from "./auth.sessions.service.ts";
import { networkOf } from "./auth.throttle.policy.ts";
import { loginSubjects, type Subjects, type Throttle, tokenSubjects } from "./auth.throttle.service.ts";

export interface LoginDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly notifications: NotificationsApi;
  readonly throttle: Throttle;
  readonly cookie: { readonly domain: string; readonly publicUrl: string };
  /** Of sessions that ended, in the unit of work in which they did. */
  readonly announce: (tx: Tx, sessionIds: readonly string[]) => Promise<void>;
}

/** Between the first and the second step of signing in. Milliseconds. */
const factorMs = 5 * 60_000;
/** Refusals of the throttle that are written down, each second: a flood must not fill the audit trail. */
const notedPerSecond = 5;

/** How long, and how many, refusals are answered from memory. */
const keptMs = 2_000;
const mostKept = 20_000;

export interface FactorCookie {
  readonly accountId: number;
  readonly method: string;
  readonly until: number;
}

const agentHash = (userAgent: string) => createHash("sha256").update(userAgent).digest("hex");

/** One queue for each account where it signed in before: what happens to others is none of its concern. */
export const trusted = (accountId: number): HashingFor => ({ network: `account ${accountId}`, trusted: true });

/**
 * Sign-in by password, token or what somebody else vouches for. Throttled before anything is hashed;
 * a wrong name takes as long as a wrong password and says the same.
 */
export function createLogin(deps: LoginDeps) {
  const noted = { second: 0, count: 0 };
  /** Until when a network is kept from an account, as far as this process was told: answered without the database. */
  const kept = new Map<string, number>();

  async function prepare(username: string, subjects: Subjects, address: string) {
    return await deps.db.read("auth.login", async (tx) => {
      const account = await deps.accounts.byUsername(tx, username);
      const known = account !== null && (await repo.knowsAddress(tx, account.id, address));
      return {
        account,
        known,
        wait: await deps.throttle.wait(tx, subjects, known),
        hash: account === null ? null : await deps.accounts.passwordHash(tx, account.id),
      };
    });
  }

  async function refuse(actor: Actor, username: string, subjects: Subjects | null, why: string): Promise<void> {
    await deps.db.write("auth.loginFailed", async (tx) => {
      if (subjects) await deps.throttle.fail(tx, subjects);
      await deps.audit.recordFolded(tx, actor, {
        action: "auth.login",
        result: "denied",
        object: { kind: "account", id: username.slice(0, 64) },
        info: { why },
      });
    });
  }

  async function refuseThrottled(actor: Actor, username: string, wait: number): Promise<never> {
    const second = Math.floor(deps.clock.monotonic() / 1000);
    if (noted.second !== second) Object.assign(noted, { second, count: 0 });
    noted.count += 1;
    if (noted.count <= notedPerSecond) await refuse(actor, username, null, "throttled");
    throw deps.throttle.error(wait);
  }

  /** Tells the owner about a browser and a network that are both new. */
  async function noticeDevice(tx: Tx, call: CallContext, account: Account, at: number): Promise<void> {
    const hash = agentHash(call.userAgent);
    const knownAddress = await repo.knowsAddress(tx, account.id, call.address);
    const { ever, agent } = await repo.knowsAgent(tx, account.id, hash);
    await repo.rememberAddress(tx, account.id, call.address, at);
    await repo.rememberAgent(tx, account.id, hash, at);
    if (!ever || agent || knownAddress) return;
    const { browser, system } = deviceOf(call.userAgent);
    const device = [browser, system].filter((part) => part !== "").join(", ");
    await deps.notifications.notify(tx, newDevice, [
      {
        accountId: account.id,
        params: { device: device === "" ? "?" : device, address: call.address },
        link: "/account/sessions",
      },
    ]);
  }

  /** A new session under a new id; the one that the browser had before ends. */
  async function open(call: CallContext, account: Account, method: string, forget: readonly string[]): Promise<void> {
    const secret = deps.ids.secret(32);
    const now = deps.clock.now();
    const before = call.cookies.session();
    await deps.db.write("auth.login", async (tx) => {
      await repo.insertSession(tx, {
        id: storedId(secret),
        accountId: account.id,
        at: now,
        expiresAt: now + sessionIdleMs,
        address: call.address,
        userAgent: call.userAgent,
      });
      if (before !== null) {
        await repo.endSession(tx, storedId(before), now);
        await deps.announce(tx, [storedId(before)]);
      }
      for (const subject of forget) await repo.deleteCounter(tx, subject);
      await noticeDevice(tx, call, account, now);
      await deps.audit.record(tx, call.actor, {
        action: "auth.login",
        object: { kind: "account", id: account.id },
        info: { username: account.username, method },
      });
    });
    call.cookies.setSession(secret);
  }

  function refuseLostCookie(call: CallContext): void {
    const problem = cookieProblem(call.headers.origin, deps.cookie);
    if (problem) throw new AppError(authErrors.cookieCannotStick, { params: problem });
  }

  /** Opens the session, or leaves a cookie that waits for the second factor. */
  async function proceed(call: CallContext, account: Account, method: string, forget: readonly string[]): Promise<SignInState> {
    const factor = await deps.db.read("auth.hasFactor", async (tx) => await factors.find(tx, account.id));
    if (factor?.confirmed_at == null) {
      await open(call, account, method, forget);
      return "signedIn";
    }
    const waiting: FactorCookie = { accountId: account.id, method, until: deps.clock.now() + factorMs };
    call.cookies.set("factor", JSON.stringify(waiting), factorMs / 1000);
    return "factorNeeded";
  }

  async function live(call: CallContext, accountId: number): Promise<Account> {
    const account = await deps.db.read("auth.signIn", async (tx) => await deps.accounts.byId(tx, accountId));
    if (account?.enabled === true) return account;
    await refuse(call.actor, account?.username ?? String(accountId), null, "account disabled");
    throw new AppError(authErrors.accountDisabled);
  }

  async function matches(hash: string | null, password: string, by: HashingFor): Promise<boolean> {
    try {
      return await deps.accounts.passwordMatches(hash, password, by);
    } catch (error) {
      if (!(error instanceof AppError) || error.definition !== accountsErrors.busy) throw error;
      throw new AppError(authErrors.busy, { params: error.params, cause: error });
    }
  }

  async function login(call: CallContext, username: string, password: string): Promise<{ account: Account; state: SignInState }> {
    refuseLostCookie(call);
    const subjects = loginSubjects(username, call.address);
    const pair = subjects.pair ?? "";
    const until = kept.get(pair) ?? 0;
    if (until > deps.clock.now()) return await refuseThrottled(call.actor, username, until - deps.clock.now());
    const { account, wait, hash, known } = await prepare(username, subjects, call.address);
    if (wait > 0) {
      if (kept.size >= mostKept) kept.clear();
      // Not for long: somebody else may lift it, or sign in from there.
      kept.set(pair, deps.clock.now() + Math.min(wait, keptMs));
      return await refuseThrottled(call.actor, username, wait);
    }
    const by = known && account ? trusted(account.id) : { network: networkOf(call.address), trusted: false };
    if (!(await matches(hash, password, by)) || account === null) {
      await refuse(call.actor, username, subjects, account === null ? "unknown user name" : "wrong password");
      throw new AppError(authErrors.wrongPassword);
    }
    if (!account.enabled) {
      await refuse(call.actor, username, null, "account disabled");
      throw new AppError(authErrors.accountDisabled);
    }
    const state = await proceed(call, account, "password", subjects.pair === undefined ? [] : [subjects.pair]);
    return { account, state };
  }

  /** Redeems a token and signs in; wrong tokens count against the network that sent them. */
  async function byToken(
    call: CallContext,
    method: string,
    redeem: (by: HashingFor) => Promise<Account>,
  ): Promise<{ account: Account; state: SignInState }> {
    refuseLostCookie(call);
    const subjects = tokenSubjects(call.address);
    const wait = await deps.db.read("auth.token", async (tx) => await deps.throttle.wait(tx, subjects, false));
    if (wait > 0) throw deps.throttle.error(wait);
    try {
      const account = await redeem({ network: networkOf(call.address), trusted: false });
      return { account, state: await proceed(call, account, method, []) };
    } catch (error) {
      const wrong = error instanceof AppError && error.definition === accountsErrors.tokenNotValid;
      if (wrong) await deps.db.write("auth.tokenFailed", async (tx) => await deps.throttle.fail(tx, subjects));
      throw error;
    }
  }

  return {
    login,
    byToken,
    open,
    live,
    refuse,
    refuseLostCookie,
    /** For an account that something else than a password vouched for. */
    async signIn(call: CallContext, accountId: number, method: string): Promise<SignInState> {
      refuseLostCookie(call);
      return await proceed(call, await live(call, accountId), method, []);
    },
  };
}

export type Login = ReturnType<typeof createLogin>;
