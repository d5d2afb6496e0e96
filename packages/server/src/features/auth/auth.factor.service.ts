import { AppError } from "#core/errors.ts";
import type { CallContext, Check, Finding } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Account, AccountsApi } from "#features/accounts/accounts.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import { adminLogins } from "#features/accounts/accounts.reads.ts";
import { authErrors, type FactorState } from "./auth.contract.ts";
import { FactorCodes, type FactorCodesDeps } from "./auth.factor.codes.service.ts";
import * as repo from "./auth.factor.repo.ts";
import type { LoginService } from "./auth.login.service.ts";
import { type EmitSessionsChanged, type FactorCookie, passwordFingerprint } from "./auth.open.service.ts";
import type { PasswordCheck } from "./auth.password.service.ts";
import { forgetShownFactor, showFactor } from "./auth.repo.ts";
import type { SessionsService } from "./auth.sessions.service.ts";

export interface FactorDeps extends FactorCodesDeps {
  readonly accounts: AccountsApi;
  readonly settings: SettingsApi;
  readonly sessions: SessionsService;
  readonly login: LoginService;
  readonly passwordCheck: PasswordCheck;
  readonly emitChanged: EmitSessionsChanged;
}

const checkedPerStatement = 500;
const mostNamed = 5;

/** The second factor: the second step of signing in, setting it up and turning it off. */
export class FactorService {
  readonly #deps: FactorDeps;
  readonly #codes: FactorCodes;

  constructor(deps: FactorDeps) {
    this.#deps = deps;
    this.#codes = new FactorCodes(deps);
  }

  /** The second step: opens a session of the account that completed the first. */
  async signIn(call: CallContext, code: string): Promise<{ account: Account; factorShown: boolean }> {
    const { accounts, db, login } = this.#deps;
    login.refuseLostCookie(call);
    const { accountId, method, mark, epoch } = await this.#firstStepOf(call);
    const account = await login.requireEnabled(call, accountId);
    const { factor, hash } = await db.read("auth.factor", async (tx) => ({
      factor: await repo.find(tx, accountId),
      hash: await accounts.passwordHash(tx, accountId),
    }));
    // Before the code is used up: otherwise it would be lost.
    const outdated = epoch !== undefined && epoch !== account.sessionEpoch;
    if (outdated || passwordFingerprint(hash) !== mark) throw new AppError(authErrors.factorExpired);
    // When an admin removed the factor since the first step, that step is enough.
    const required = factor?.confirmed_at != null;
    if (required) await this.#codes.withCode(call, accountId, code, async () => undefined);
    call.cookies.set("factor", null, 0);
    await login.open(call, account, { method, factor: required, passwordFingerprint: mark });
    return { account, factorShown: required };
  }

  async state(call: CallContext): Promise<FactorState> {
    const { db, sessions, vault } = this.#deps;
    const { accountId, sessionId } = call.account();
    const info = await sessions.info(sessionId);
    return await db.read("auth.factor", async (tx) => {
      const factor = await repo.find(tx, accountId);
      const on = factor?.confirmed_at != null;
      return {
        state: !on ? "off" : this.#codes.readable(factor.secret) ? "on" : "unreadable",
        available: vault.available,
        since: factor?.confirmed_at ?? null,
        recoveryCodesLeft: on ? await repo.codesLeft(tx, accountId) : 0,
        neededForAdmin: info?.factorNeededForAdmin === true,
      };
    });
  }

  async enrol(call: CallContext, password: string): Promise<{ secret: string; uri: string }> {
    const { clock, db, passwordCheck, settings, vault } = this.#deps;
    const { accountId, username } = call.account();
    if (!vault.available) throw new AppError(authErrors.factorNeedsSecret);
    await passwordCheck.confirm(call, password);
    const { secret, sealed } = this.#codes.newSeed();
    await db.write("auth.enrolFactor", async (tx) => {
      if ((await repo.lock(tx, accountId))?.confirmed_at != null) throw new AppError(authErrors.factorAlreadySet);
      await repo.put(tx, accountId, sealed, clock.now());
      await this.#record(tx, call, accountId, "auth.enrolFactor");
    });
    const { name } = (await settings.current()).general;
    return { secret, uri: this.#codes.uriOf(secret, username, name) };
  }

  async confirm(call: CallContext, code: string): Promise<{ recoveryCodes: string[] }> {
    const { emitChanged, clock, db } = this.#deps;
    const { accountId, sessionId } = call.account();
    const factor = await db.read("auth.factor", async (tx) => await repo.find(tx, accountId));
    if (!factor) throw new AppError(authErrors.factorNotSet);
    if (factor.confirmed_at !== null) throw new AppError(authErrors.factorAlreadySet);
    return await this.#codes.withCode(call, accountId, code, async (tx) => {
      const now = clock.now();
      await repo.confirm(tx, accountId, now);
      // The other sessions of the account showed no code: they get admin powers only after another sign-in.
      await showFactor(tx, sessionId, now);
      await this.#record(tx, call, accountId, "auth.confirmFactor");
      await emitChanged(tx, [sessionId]);
      return await this.#codes.renew(tx, accountId);
    });
  }

  /** Throws unless the code is right for the account's confirmed second factor; uses it up. */
  async confirmCode(call: CallContext, code: string): Promise<void> {
    const { accountId } = call.account();
    await this.#requireConfirmed(accountId);
    await this.#codes.withCode(call, accountId, code, async () => undefined);
  }

  async renewCodes(call: CallContext, input: { password: string; code: string }): Promise<{ recoveryCodes: string[] }> {
    const { accountId } = call.account();
    await this.#requireConfirmed(accountId);
    await this.#deps.passwordCheck.confirm(call, input.password);
    return await this.#codes.withCode(call, accountId, input.code, async (tx) => {
      await this.#record(tx, call, accountId, "auth.renewRecoveryCodes");
      return await this.#codes.renew(tx, accountId);
    });
  }

  async disable(call: CallContext, input: { password: string; code: string }): Promise<void> {
    const { accountId } = call.account();
    await this.#requireConfirmed(accountId);
    await this.#deps.passwordCheck.confirm(call, input.password);
    await this.#codes.withCode(call, accountId, input.code, async (tx) => {
      await this.#remove(tx, accountId);
      await this.#record(tx, call, accountId, "auth.disableFactor");
    });
  }

  async resetOf(call: CallContext, accountId: number): Promise<void> {
    await this.#deps.db.write("auth.resetFactorOf", async (tx) => {
      if (!(await repo.lock(tx, accountId))) throw new AppError(authErrors.factorNotSet);
      await this.#remove(tx, accountId);
      await this.#record(tx, call, accountId, "auth.resetFactorOf");
    });
  }

  /** Admins whose password alone opens the installation; the first few by name. */
  async adminsWithout(): Promise<{ accounts: { id: number; username: string }[]; total: number }> {
    return await this.#deps.db.read("auth.adminsWithoutFactor", async (tx) => {
      const admins = await adminLogins(tx);
      const ids = admins.map(({ id }) => id);
      const shown = await repo.confirmedOf(tx, ids);
      const without = admins.filter(({ id }) => !shown.has(id));
      return { accounts: without.slice(0, mostNamed), total: without.length };
    });
  }

  async stateOf(tx: Tx, accountId: number): Promise<{ factor: boolean; factorReadable: boolean }> {
    const factor = await repo.find(tx, accountId);
    return { factor: factor?.confirmed_at != null, factorReadable: factor === null || this.#codes.readable(factor.secret) };
  }

  /** For the doctor: factors whose seed the present `secret` does not open. */
  get check(): Check {
    return { id: "auth.factors", run: async () => await this.#findings() };
  }

  async #findings(): Promise<readonly Finding[]> {
    let [after, unreadable] = [0, 0];
    for (;;) {
      const rows = await this.#deps.db.read("auth.checkFactors", async (tx) => await repo.page(tx, after, checkedPerStatement));
      unreadable += rows.filter(({ secret }) => !this.#codes.readable(secret)).length;
      after = rows.at(-1)?.account_id ?? 0;
      if (rows.length < checkedPerStatement) break;
    }
    return [{ id: "auth.factors", state: unreadable === 0 ? "ok" : "problem", params: { count: unreadable } }];
  }

  async #record(tx: Tx, call: CallContext, accountId: number, action: string): Promise<void> {
    await this.#deps.audit.record(tx, call.actor, { action, object: { kind: "account", id: accountId } });
  }

  async #remove(tx: Tx, accountId: number): Promise<void> {
    await repo.remove(tx, accountId);
    await this.#deps.emitChanged(tx, await forgetShownFactor(tx, accountId));
  }

  async #requireConfirmed(accountId: number): Promise<void> {
    const factor = await this.#deps.db.read("auth.factor", async (tx) => await repo.find(tx, accountId));
    if (factor?.confirmed_at == null) throw new AppError(authErrors.factorNotSet);
  }

  /** Throws `auth.factorExpired` when this browser did not complete the first step in time. */
  async #firstStepOf(call: CallContext): Promise<FactorCookie> {
    const text = await call.cookies.get("factor");
    const cookie = text === null ? null : (JSON.parse(text) as FactorCookie);
    if (cookie === null || cookie.until <= this.#deps.clock.now()) throw new AppError(authErrors.factorExpired);
    return cookie;
  }
}
