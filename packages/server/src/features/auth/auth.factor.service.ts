import { createHash } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { AppError } from "#core/errors.ts";
import type { CallContext, Check, Finding } from "#core/feature.ts";
import type { Clock, Database, Ids, Tx, Vault } from "#core/ports/index.ts";
import type { Account, AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import { authErrors, type FactorState } from "./auth.contract.ts";
import { readableCode, typedCode } from "#core/codes.ts";
import * as repo from "./auth.factor.repo.ts";
import type { FactorCookie, Login } from "./auth.login.service.ts";
import { deleteCounter, knowsAddress } from "./auth.repo.ts";
import type { Sessions } from "./auth.sessions.service.ts";
import { factorSubjects, type Throttle } from "./auth.throttle.service.ts";

export interface FactorDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly sessions: Sessions;
  readonly throttle: Throttle;
  readonly login: Login;
  /** Throws unless the password of the calling account is right. */
  readonly confirmPassword: (call: CallContext, password: string) => Promise<void>;
}

const purpose = "auth_factors.secret";
const stepMs = 30_000;
const recoveryCount = 10;
type Outcome = "right" | "wrong" | "unreadable";

const hashOf = (code: string) =>
  createHash("sha256")
    .update(`rollcall recovery code\n${typedCode(code)}`)
    .digest("hex");

const totpOf = (secret: string, label: string, issuer: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), label, issuer, digits: 6, period: stepMs / 1000 });

export function createFactorService(deps: FactorDeps) {
  /** The step of a code that is right now or half a minute off, null for a wrong one. */
  function stepOf(secret: string, code: string): number | null {
    const now = deps.clock.now();
    const delta = totpOf(secret, "", "").validate({ token: code, window: 1, timestamp: now });
    return delta === null ? null : Math.floor(now / stepMs) + delta;
  }

  /** Uses the code up. A recovery code works also while the seed cannot be read. */
  async function take(tx: Tx, accountId: number, code: string): Promise<Outcome> {
    const factor = await repo.lock(tx, accountId);
    if (!factor) throw new AppError(authErrors.factorNotSet);
    const digits = code.replaceAll(/\s/g, "");
    if (!/^\d{6}$/.test(digits)) {
      return (await repo.useCode(tx, accountId, hashOf(code), deps.clock.now())) ? "right" : "wrong";
    }
    const opened = deps.vault.open(factor.secret, purpose);
    if (opened.state !== "open") return "unreadable";
    const step = stepOf(opened.text, digits);
    if (step === null || step <= factor.last_step) return "wrong";
    await repo.accept(tx, accountId, step);
    return "right";
  }

  /**
   * Throttled; runs `effect` in the unit of work that uses the code up. A wrong code is counted in a
   * unit of work of its own, which the refusal does not roll back.
   */
  async function withCode<T>(call: CallContext, accountId: number, code: string, effect: (tx: Tx) => Promise<T>): Promise<T> {
    const subjects = factorSubjects(accountId, call.address);
    const wait = await deps.db.read("auth.factorWait", async (tx) => {
      const known = await knowsAddress(tx, accountId, call.address);
      return await deps.throttle.wait(tx, subjects, known);
    });
    if (wait > 0) throw deps.throttle.error(wait);
    const done = await deps.db.write("auth.factorCode", async (tx) => {
      const outcome = await take(tx, accountId, code);
      if (outcome !== "right") return { outcome };
      for (const subject of Object.values(subjects)) await deleteCounter(tx, subject);
      return { outcome, result: await effect(tx) };
    });
    if (done.outcome === "right") return (done as { result: T }).result;
    if (done.outcome === "unreadable") throw new AppError(authErrors.factorUnreadable);
    await deps.db.write("auth.factorFailed", async (tx) => {
      await deps.throttle.fail(tx, subjects);
      await deps.audit.recordFolded(tx, call.actor, {
        action: "auth.loginFactor",
        result: "denied",
        object: { kind: "account", id: accountId },
        info: { why: "wrong code" },
      });
    });
    throw new AppError(authErrors.factorCodeWrong);
  }

  function record(tx: Tx, call: CallContext, accountId: number, action: string) {
    return deps.audit.record(tx, call.actor, { action, object: { kind: "account", id: accountId } });
  }

  async function newCodes(tx: Tx, accountId: number): Promise<{ recoveryCodes: string[] }> {
    const recoveryCodes = Array.from({ length: recoveryCount }, () =>
      readableCode(Buffer.from(deps.ids.secret(10), "base64url")),
    );
    await repo.replaceCodes(tx, accountId, recoveryCodes.map(hashOf));
    return { recoveryCodes };
  }

  async function confirmed(accountId: number): Promise<repo.FactorRow> {
    const factor = await deps.db.read("auth.factor", async (tx) => await repo.find(tx, accountId));
    if (factor?.confirmed_at == null) throw new AppError(authErrors.factorNotSet);
    return factor;
  }

  async function waitingFor(call: CallContext): Promise<FactorCookie> {
    const text = await call.cookies.get("factor");
    const cookie = text === null ? null : (JSON.parse(text) as FactorCookie);
    if (cookie === null || cookie.until <= deps.clock.now()) throw new AppError(authErrors.factorExpired);
    return cookie;
  }

  const readable = (secret: string) => deps.vault.open(secret, purpose).state === "open";

  const check: Check = {
    id: "auth.factors",
    async run(): Promise<readonly Finding[]> {
      let [after, unreadable] = [0, 0];
      for (;;) {
        const rows = await deps.db.read("auth.checkFactors", async (tx) => await repo.page(tx, after, 500));
        unreadable += rows.filter(({ secret }) => !readable(secret)).length;
        after = rows.at(-1)?.account_id ?? 0;
        if (rows.length < 500) break;
      }
      return [{ id: "auth.factors", state: unreadable === 0 ? "ok" : "problem", params: { count: unreadable } }];
    },
  };

  return {
    check,

    /** The second step: ends in a session of the account that passed the first. */
    async signIn(call: CallContext, code: string): Promise<Account> {
      deps.login.refuseLostCookie(call);
      const { accountId, method } = await waitingFor(call);
      const account = await deps.login.live(call, accountId);
      const factor = await deps.db.read("auth.factor", async (tx) => await repo.find(tx, accountId));
      // Removed by an admin meanwhile: the first step alone is what the account asks for now.
      if (factor?.confirmed_at != null) await withCode(call, accountId, code, async () => undefined);
      call.cookies.set("factor", null, 0);
      await deps.login.open(call, account, `${method}+factor`, []);
      return account;
    },

    async state(call: CallContext): Promise<FactorState> {
      const { accountId, sessionId } = call.account();
      const info = await deps.sessions.info(sessionId);
      return await deps.db.read("auth.factor", async (tx) => {
        const factor = await repo.find(tx, accountId);
        const on = factor?.confirmed_at != null;
        return {
          state: !on ? "off" : readable(factor.secret) ? "on" : "unreadable",
          available: deps.vault.available,
          since: factor?.confirmed_at ?? null,
          recoveryCodesLeft: on ? await repo.codesLeft(tx, accountId) : 0,
          neededForAdmin: info?.factorNeededForAdmin === true,
        };
      });
    },

    async enrol(call: CallContext, password: string): Promise<{ secret: string; uri: string }> {
      const { accountId, username } = call.account();
      if (!deps.vault.available) throw new AppError(authErrors.factorNeedsSecret);
      await deps.confirmPassword(call, password);
      const secret = new Secret({ buffer: new Uint8Array(Buffer.from(deps.ids.secret(20), "base64url")).buffer }).base32;
      const sealed = deps.vault.seal(secret, purpose);
      await deps.db.write("auth.enrolFactor", async (tx) => {
        if ((await repo.lock(tx, accountId))?.confirmed_at != null) throw new AppError(authErrors.factorAlreadySet);
        await repo.put(tx, accountId, sealed, deps.clock.now());
        await record(tx, call, accountId, "auth.enrolFactor");
      });
      const { name } = (await deps.settings.current()).general;
      return { secret, uri: totpOf(secret, username, name).toString() };
    },

    async confirm(call: CallContext, code: string): Promise<{ recoveryCodes: string[] }> {
      const { accountId } = call.account();
      const factor = await deps.db.read("auth.factor", async (tx) => await repo.find(tx, accountId));
      if (!factor) throw new AppError(authErrors.factorNotSet);
      if (factor.confirmed_at !== null) throw new AppError(authErrors.factorAlreadySet);
      const codes = await withCode(call, accountId, code, async (tx) => {
        await repo.confirm(tx, accountId, deps.clock.now());
        await record(tx, call, accountId, "auth.confirmFactor");
        tx.afterCommit(() => deps.sessions.forgetAccount(accountId));
        return await newCodes(tx, accountId);
      });
      deps.sessions.forgetAccount(accountId);
      return codes;
    },

    async renewCodes(call: CallContext, input: { password: string; code: string }): Promise<{ recoveryCodes: string[] }> {
      const { accountId } = call.account();
      await confirmed(accountId);
      await deps.confirmPassword(call, input.password);
      return await withCode(call, accountId, input.code, async (tx) => {
        await record(tx, call, accountId, "auth.renewRecoveryCodes");
        return await newCodes(tx, accountId);
      });
    },

    async disable(call: CallContext, input: { password: string; code: string }): Promise<void> {
      const { accountId } = call.account();
      await confirmed(accountId);
      await deps.confirmPassword(call, input.password);
      await withCode(call, accountId, input.code, async (tx) => {
        await repo.remove(tx, accountId);
        await record(tx, call, accountId, "auth.disableFactor");
        tx.afterCommit(() => deps.sessions.forgetAccount(accountId));
      });
    },

    resetOf: async (call: CallContext, accountId: number): Promise<void> =>
      await deps.db.write("auth.resetFactorOf", async (tx) => {
        if (!(await repo.lock(tx, accountId))) throw new AppError(authErrors.factorNotSet);
        await repo.remove(tx, accountId);
        await record(tx, call, accountId, "auth.resetFactorOf");
        tx.afterCommit(() => deps.sessions.forgetAccount(accountId));
      }),

    stateOf: async (tx: Tx, accountId: number) => {
      const factor = await repo.find(tx, accountId);
      return { factor: factor?.confirmed_at != null, factorReadable: factor === null || readable(factor.secret) };
    },
  };
}

export type FactorService = ReturnType<typeof createFactorService>;
