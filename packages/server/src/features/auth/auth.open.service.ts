import { createHash } from "node:crypto";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Ids, Tx } from "#core/ports/index.ts";
import type { Account, AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import type { SignInState } from "./auth.api.ts";
import { authErrors, newDevice } from "./auth.contract.ts";
import { deviceOf } from "./auth.device.policy.ts";
import * as factors from "./auth.factor.repo.ts";
import * as repo from "./auth.repo.ts";
import { sessionIdleMs, storedId } from "./auth.sessions.service.ts";
import { nothingToFinish, type FinishAttempt } from "./auth.throttle.service.ts";

/** Publishes that sessions ended or changed, in the unit of work in which they did. */
export type EmitSessionsChanged = (tx: Tx, sessionIds: readonly string[]) => Promise<void>;

export interface OpenerDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly notifications: NotificationsApi;
  readonly secretsFingerprint: () => string;
  readonly emitChanged: EmitSessionsChanged;
}

/** Why an account may be signed in. */
export interface SignInProof {
  /** `password`, `oauth:<provider>`, `registration`, `reset`, `setup`. */
  readonly method: string;
  /** Whether a code of the second factor was checked as well. */
  readonly factor: boolean;
  /** Of the password that the account had then: the proof is void once the password changes. */
  readonly passwordFingerprint: string;
}

/** Between the first and the second step of signing in. Milliseconds. */
const factorMs = 5 * 60_000;
const deviceSeconds = 180 * 24 * 60 * 60;

/** Of a browser that signed in before: unknown callers cannot lock it out, and its attempts have a counter of their own. */
export interface DeviceCookie {
  readonly accountId: number;
  readonly device: string;
}

export async function deviceCookie(call: CallContext): Promise<DeviceCookie | null> {
  const text = await call.cookies.get("device");
  return text === null ? null : (JSON.parse(text) as DeviceCookie);
}

/** What the browser stores between the two steps. */
export interface FactorCookie {
  readonly accountId: number;
  readonly method: string;
  readonly until: number;
  /** The password fingerprint, under the name that earlier versions gave it. */
  readonly mark: string;
  /** `sessionEpoch` of the account in the first step; missing in cookies of earlier versions. */
  readonly epoch?: number;
}

/** Identifies a password without revealing anything of it; an account without a password has one as well. */
export function passwordFingerprint(passwordHash: string | null): string {
  return createHash("sha256").update(`rollcall password mark\n${passwordHash}`).digest("base64url").slice(0, 22);
}

const agentHash = (userAgent: string) => createHash("sha256").update(userAgent).digest("hex");

/** Opens sessions for accounts whose proof was checked. */
export class SessionOpener {
  readonly #deps: OpenerDeps;

  constructor(deps: OpenerDeps) {
    this.#deps = deps;
  }

  /** A new session under a new id; the session that the browser had before ends. */
  async open(call: CallContext, account: Account, proof: SignInProof, finish: FinishAttempt = nothingToFinish): Promise<void> {
    const { accounts, emitChanged, audit, clock, db, ids, secretsFingerprint } = this.#deps;
    const { method, factor } = proof;
    const secret = ids.secret(32);
    const now = clock.now();
    const before = call.cookies.session();
    await db.write("auth.login", async (tx) => {
      // A changed password ends all sessions of the account, so none may open at the same time under the old one.
      if (passwordFingerprint(await accounts.lockPasswordHash(tx, account.id)) !== proof.passwordFingerprint)
        throw new AppError(factor ? authErrors.factorExpired : authErrors.wrongPassword);
      await repo.insertSession(tx, {
        id: storedId(secret),
        accountId: account.id,
        at: now,
        expiresAt: now + sessionIdleMs,
        address: call.address,
        userAgent: call.userAgent,
        openedBy: method,
        factorAt: factor ? now : null,
        secrets: secretsFingerprint(),
        accountEpoch: account.sessionEpoch,
      });
      await accounts.noteSeen(tx, [account.id], now);
      if (before !== null) {
        const id = storedId(before);
        if (await repo.endSession(tx, id, now)) await emitChanged(tx, [id]);
      }
      await finish(tx, ["pair"]);
      await this.#notifyNewDevice(tx, call, account, now);
      await audit.record(tx, call.actor, {
        action: "auth.login",
        object: { kind: "account", id: account.id },
        target: { kind: "account", id: account.id, ...(account.username !== null && { name: account.username }) },
        info: { username: account.username, method: factor ? `${method}+factor` : method },
      });
    });
    call.cookies.setSession(secret);
    const device = await deviceCookie(call);
    const own: DeviceCookie = device?.accountId === account.id ? device : { accountId: account.id, device: ids.secret(16) };
    call.cookies.set("device", JSON.stringify(own), deviceSeconds);
  }

  /** Opens the session, or sets the cookie of the second step when the account has a second factor. */
  async proceed(
    call: CallContext,
    account: Account,
    { method, passwordFingerprint }: Omit<SignInProof, "factor">,
    finish: FinishAttempt = nothingToFinish,
  ): Promise<SignInState> {
    const { clock, db } = this.#deps;
    const factor = await db.read("auth.hasFactor", async (tx) => await factors.find(tx, account.id));
    if (factor?.confirmed_at == null) {
      await this.open(call, account, { method, factor: false, passwordFingerprint }, finish);
      return "signedIn";
    }
    if (finish !== nothingToFinish) await db.write("auth.firstStep", async (tx) => await finish(tx, []));
    const waiting: FactorCookie = {
      accountId: account.id,
      method,
      until: clock.now() + factorMs,
      mark: passwordFingerprint,
      epoch: account.sessionEpoch,
    };
    call.cookies.set("factor", JSON.stringify(waiting), factorMs / 1000);
    return "factorNeeded";
  }

  /** Notifies the owner of a sign-in from a browser and a network that are both new. */
  async #notifyNewDevice(tx: Tx, call: CallContext, account: Account, at: number): Promise<void> {
    const hash = agentHash(call.userAgent);
    const knownAddress = await repo.knowsAddress(tx, account.id, call.address);
    const { ever, agent } = await repo.knowsAgent(tx, account.id, hash);
    await repo.rememberAddress(tx, account.id, call.address, at);
    await repo.rememberAgent(tx, account.id, hash, at);
    if (!ever || agent || knownAddress) return;
    const { browser, system } = deviceOf(call.userAgent);
    const device = [browser, system].filter((part) => part !== "").join(", ");
    await this.#deps.notifications.notify(tx, newDevice, {
      recipients: [{ accountId: account.id }],
      params: { device: device === "" ? "?" : device, address: call.address },
      link: "/account/sessions",
    });
  }
}
