import { createHash } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { readableCode, typedCode } from "#core/codes.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Ids, Tx, Vault } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { authErrors } from "./auth.contract.ts";
import * as repo from "./auth.factor.repo.ts";
import type { RefusalReason } from "./auth.refusals.contract.ts";
import { knowsAddress } from "./auth.repo.ts";
import { factorSubjects } from "./auth.throttle.policy.ts";
import type { Throttle } from "./auth.throttle.service.ts";

export interface FactorCodesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly vault: Vault;
  readonly audit: AuditApi;
  readonly throttle: Throttle;
}

const sealPurpose = "auth_factors.secret";
const stepMs = 30_000;
const recoveryCodeCount = 10;
type Outcome = "right" | "wrong" | "unreadable";

const hashOf = (code: string) =>
  createHash("sha256")
    .update(`rollcall recovery code\n${typedCode(code)}`)
    .digest("hex");

const totpOf = (secret: string, label: string, issuer: string) =>
  new TOTP({ secret: Secret.fromBase32(secret), label, issuer, digits: 6, period: stepMs / 1000 });

/** Makes and checks the seed, the codes of the app and the recovery codes. */
export class FactorCodes {
  readonly #deps: FactorCodesDeps;

  constructor(deps: FactorCodesDeps) {
    this.#deps = deps;
  }

  /** A seed as shown to the user, and sealed for the table. */
  newSeed(): { secret: string; sealed: string } {
    const { ids, vault } = this.#deps;
    const secret = new Secret({ buffer: new Uint8Array(Buffer.from(ids.secret(20), "base64url")).buffer }).base32;
    return { secret, sealed: vault.seal(secret, sealPurpose) };
  }

  /** `otpauth://` address of a seed. */
  uriOf(secret: string, username: string, issuer: string): string {
    return totpOf(secret, username, issuer).toString();
  }

  /** Whether the present `secret` opens a sealed seed. */
  readable(sealed: string): boolean {
    return this.#deps.vault.open(sealed, sealPurpose).state === "open";
  }

  /** New recovery codes in place of the old ones. */
  async renew(tx: Tx, accountId: number): Promise<{ recoveryCodes: string[] }> {
    const recoveryCodes = Array.from({ length: recoveryCodeCount }, () =>
      readableCode(Buffer.from(this.#deps.ids.secret(10), "base64url")),
    );
    await repo.replaceCodes(tx, accountId, recoveryCodes.map(hashOf));
    return { recoveryCodes };
  }

  /**
   * Runs `effect` in the unit of work that uses the code up. The attempt is counted in it before the code
   * is checked, so each of several attempts at the same time sees those that were counted before it.
   * Throws `auth.factorCodeWrong`, `auth.factorUnreadable`, `auth.factorNotSet` and `auth.throttled`.
   */
  async withCode<T>(call: CallContext, accountId: number, code: string, effect: (tx: Tx) => Promise<T>): Promise<T> {
    const { audit, db, throttle } = this.#deps;
    const subjects = factorSubjects(accountId, call.address);
    const done = await db.write("auth.factorCode", async (tx) => {
      const known = await knowsAddress(tx, accountId, call.address);
      const counted = await throttle.consume(tx, subjects, known);
      const outcome = await this.#use(tx, accountId, code);
      if (outcome === "right") await throttle.refund(tx, counted, ["pair", "factor"]);
      if (outcome === "unreadable") await throttle.refund(tx, counted, []);
      if (outcome === "wrong")
        await audit.recordFolded(tx, call.actor, {
          action: "auth.loginFactor",
          result: "denied",
          object: { kind: "account", id: accountId },
          info: { why: "wrong code" satisfies RefusalReason },
        });
      return { outcome, results: outcome === "right" ? [await effect(tx)] : [] };
    });
    if (done.outcome === "unreadable") throw new AppError(authErrors.factorUnreadable);
    if (done.outcome === "wrong") throw new AppError(authErrors.factorCodeWrong);
    return done.results[0] as T;
  }

  /** Uses the code up. A recovery code works also while the seed cannot be read. */
  async #use(tx: Tx, accountId: number, code: string): Promise<Outcome> {
    const { clock, vault } = this.#deps;
    const factor = await repo.lock(tx, accountId);
    if (!factor) throw new AppError(authErrors.factorNotSet);
    const digits = code.replaceAll(/\s/g, "");
    if (!/^\d{6}$/.test(digits)) {
      return (await repo.useCode(tx, accountId, hashOf(code), clock.now())) ? "right" : "wrong";
    }
    const opened = vault.open(factor.secret, sealPurpose);
    if (opened.state !== "open") return "unreadable";
    const step = this.#stepOf(opened.text, digits);
    if (step === null || step <= factor.last_step) return "wrong";
    await repo.accept(tx, accountId, step);
    return "right";
  }

  /** The step of a code that is valid now or half a minute off, null for a wrong one. */
  #stepOf(secret: string, code: string): number | null {
    const now = this.#deps.clock.now();
    const delta = totpOf(secret, "", "").validate({ token: code, window: 1, timestamp: now });
    return delta === null ? null : Math.floor(now / stepMs) + delta;
  }
}
