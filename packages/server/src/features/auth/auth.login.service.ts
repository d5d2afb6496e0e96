import { createHash } from "node:crypto";
import type { Actor } from "#core/actor.ts";
import { networkOf } from "#core/network.ts";
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
/** Addresses of one account that are kept in memory while strangers are refused; beyond them the database is asked. */
const mostAddresses = 1000;

/** How long the addresses from which anybody signed in are kept in memory, and how many; with more the database is asked. */
const familiarMs = 5_000;
const mostFamiliar = 50_000;

const deviceSeconds = 180 * 24 * 60 * 60;

/** Of a browser that signed in before: strangers cannot keep it out, and it is counted by itself. */
interface DeviceCookie {
  readonly accountId: number;
  readonly device: string;
}

function busyOf(error: unknown): unknown {
  if (!(error instanceof AppError) || error.definition !== accountsErrors.busy) return error;
  return new AppError(authErrors.busy, { params: error.params, cause: error });
}

async function deviceCookie(call: CallContext): Promise<DeviceCookie | null> {
  const text = await call.cookies.get("device");
  return text === null ? null : (JSON.parse(text) as DeviceCookie);
}

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
  /** Until when strangers are kept from an account, and who is none. */
  const closed = new Map<string, { readonly until: number; readonly addresses: ReadonlySet<string> }>();

  let familiar: { readonly until: number; readonly addresses: Promise<ReadonlySet<string>> } | null = null;

  /** While strangers fill the queue, a guess from an unknown place costs no statement. */
  async function refuseStrangerEarly(address: string): Promise<void> {
    try {
      deps.accounts.refuseStrangersWhenFull();
    } catch (error) {
      if (familiar === null || familiar.until < deps.clock.now()) {
        const read = deps.db.read("auth.addresses", async (tx) => new Set(await repo.allAddresses(tx, mostFamiliar)));
        familiar = { until: deps.clock.now() + familiarMs, addresses: read };
      }
      const addresses = await familiar.addresses;
      if (addresses.size < mostFamiliar && !addresses.has(address)) throw busyOf(error);
    }
  }

  async function prepare(username: string, address: string, device: DeviceCookie | null) {
    return await deps.db.read("auth.login", async (tx) => {
      const account = await deps.accounts.byUsername(tx, username);
      const own = account !== null && device?.accountId === account.id;
      const known = own || (account !== null && (await repo.knowsAddress(tx, account.id, address)));
      const subjects = loginSubjects(username, address, own ? device.device : undefined);
      const wait = await deps.throttle.wait(tx, subjects, known);
      const closedFor = wait > 0 && !known ? await deps.throttle.wait(tx, { account: subjects.account ?? "" }, false) : 0;
      return {
        account,
        known,
        subjects,
        wait,
        closedFor,
        addresses: closedFor > 0 && account !== null ? await repo.addressesOf(tx, account.id, mostAddresses) : [],
        hash: account === null ? null : await deps.accounts.passwordHash(tx, account.id),
      };
    });
  }

  /** Milliseconds for which this process knows already that the try is refused. */
  function keptFor({ pair = "", account = "" }: Subjects, address: string, device: DeviceCookie | null): number {
    const now = deps.clock.now();
    const shut = closed.get(account);
    const forStrangers = shut === undefined || device !== null || shut.addresses.has(address) ? 0 : shut.until - now;
    return Math.max(forStrangers, device === null ? (kept.get(pair) ?? 0) - now : 0);
  }

  /** Not for long: somebody else may lift it, or sign in from there. */
  function keep({ subjects, wait, closedFor, addresses }: Awaited<ReturnType<typeof prepare>>): void {
    const now = deps.clock.now();
    if (kept.size >= mostKept) kept.clear();
    kept.set(subjects.pair ?? "", now + Math.min(wait, keptMs));
    if (closedFor === 0 || addresses.length >= mostAddresses) return;
    if (closed.size >= mostKept) closed.clear();
    closed.set(subjects.account ?? "", { until: now + Math.min(closedFor, keptMs), addresses: new Set(addresses) });
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
        target: { kind: "account", id: account.id, ...(account.username !== null && { name: account.username }) },
        info: { username: account.username, method },
      });
    });
    call.cookies.setSession(secret);
    const device = await deviceCookie(call);
    const mine: DeviceCookie = device?.accountId === account.id ? device : { accountId: account.id, device: deps.ids.secret(16) };
    call.cookies.set("device", JSON.stringify(mine), deviceSeconds);
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
      throw busyOf(error);
    }
  }

  async function login(call: CallContext, username: string, password: string): Promise<{ account: Account; state: SignInState }> {
    refuseLostCookie(call);
    const device = await deviceCookie(call);
    const early = keptFor(loginSubjects(username, call.address), call.address, device);
    if (early > 0) return await refuseThrottled(call.actor, username, early);
    if (device === null) await refuseStrangerEarly(call.address);
    const prepared = await prepare(username, call.address, device);
    const { account, wait, hash, known, subjects } = prepared;
    if (wait > 0) {
      keep(prepared);
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
