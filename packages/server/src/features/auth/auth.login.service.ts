import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Account, HashingCaller } from "#features/accounts/accounts.api.ts";
import type { SignInState } from "./auth.api.ts";
import { authErrors } from "./auth.contract.ts";
import { cookieProblem } from "./auth.cookie.policy.ts";
import type { Refusal } from "./auth.guard.refusals.service.ts";
import type { LoginGuard } from "./auth.guard.service.ts";
import { deviceCookie, type OpenerDeps, passwordFingerprint, SessionOpener, type SignInProof } from "./auth.open.service.ts";
import type { RefusalReason } from "./auth.refusals.contract.ts";
import { throttled } from "./auth.throttle.policy.ts";

export interface LoginDeps extends OpenerDeps {
  readonly guard: LoginGuard;
  readonly cookie: { readonly domain: string; readonly publicUrl: string };
}

/** An account and whether its session is open already. */
export interface Login {
  readonly account: Account;
  readonly state: SignInState;
}

/**
 * Sign-in by password, by token, or after another feature checked who it is. The guard throttles
 * before anything is hashed; a wrong name takes as long as a wrong password and gets the same answer.
 */
export class LoginService {
  readonly #deps: LoginDeps;
  readonly #opener: SessionOpener;

  constructor(deps: LoginDeps) {
    this.#deps = deps;
    this.#opener = new SessionOpener(deps);
  }

  async login(call: CallContext, username: string, password: string): Promise<Login> {
    this.refuseLostCookie(call);
    const { db, guard } = this.#deps;
    const attempt = await guard.admit(username, call.address, await deviceCookie(call));
    if ("wait" in attempt) return await this.#refuseThrottled(call.actor, attempt);
    const { right, finish } = await guard.checkPassword(attempt, password);
    const { account } = attempt;
    if (!right || account === null) {
      await this.#refuse(call.actor, account, account === null ? "unknown user name" : "wrong password");
      throw new AppError(authErrors.wrongPassword);
    }
    if (!account.enabled) {
      await db.write("auth.loginDisabled", async (tx) => await finish(tx, []));
      await this.#refuse(call.actor, account, "account disabled");
      throw new AppError(authErrors.accountDisabled);
    }
    const proof = { method: "password", passwordFingerprint: passwordFingerprint(attempt.hash) };
    return { account, state: await this.#opener.proceed(call, account, proof, finish) };
  }

  /** Redeems a token and signs in; wrong tokens count against the network that sent them. */
  async byToken(call: CallContext, method: string, redeem: (caller: HashingCaller) => Promise<Account>): Promise<Login> {
    this.refuseLostCookie(call);
    const account = await this.#deps.guard.redeem(call.address, redeem);
    return { account, state: await this.#proceedWithoutPassword(call, account, method) };
  }

  /** For an account that was identified by something else than its password. */
  async signIn(call: CallContext, accountId: number, method: string): Promise<SignInState> {
    this.refuseLostCookie(call);
    return await this.#proceedWithoutPassword(call, await this.requireEnabled(call, accountId), method);
  }

  async open(call: CallContext, account: Account, proof: SignInProof): Promise<void> {
    await this.#opener.open(call, account, proof);
  }

  /** Throws `auth.accountDisabled`, also for an account that does not exist. */
  async requireEnabled(call: CallContext, accountId: number): Promise<Account> {
    const { accounts, db } = this.#deps;
    const account = await db.read("auth.signIn", async (tx) => await accounts.byId(tx, accountId));
    if (account?.enabled === true) return account;
    await this.#refuse(call.actor, account, "account disabled");
    throw new AppError(authErrors.accountDisabled);
  }

  /** Throws `auth.cookieCannotStick` when the browser would drop the session cookie. */
  refuseLostCookie(call: CallContext): void {
    const problem = cookieProblem(call.headers.origin, this.#deps.cookie);
    if (problem) throw new AppError(authErrors.cookieCannotStick, { params: problem });
  }

  async #proceedWithoutPassword(call: CallContext, account: Account, method: string): Promise<SignInState> {
    const { accounts, db } = this.#deps;
    const hash = await db.read("auth.vouched", async (tx) => await accounts.passwordHash(tx, account.id));
    return await this.#opener.proceed(call, account, { method, passwordFingerprint: passwordFingerprint(hash) });
  }

  /** For a name that no account has only the network is recorded: what was typed may be a password. */
  async #refuse(actor: Actor, account: Pick<Account, "id"> | null, why: RefusalReason): Promise<void> {
    await this.#deps.audit.noteRefused(actor, {
      action: "auth.login",
      result: "denied",
      ...(account === null ? {} : { object: { kind: "account", id: account.id } }),
      info: { why },
    });
  }

  async #refuseThrottled(actor: Actor, { account, wait }: Refusal): Promise<never> {
    await this.#refuse(actor, account, "throttled");
    throw throttled(wait);
  }
}
