import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Database } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { authErrors } from "./auth.contract.ts";
import { knownCaller } from "./auth.guard.service.ts";
import { type Counted, ownSubjects, throttled } from "./auth.throttle.policy.ts";
import type { Throttle } from "./auth.throttle.service.ts";

export interface PasswordCheckDeps {
  readonly db: Database;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly throttle: Throttle;
}

/** Checks the password of the account that is signed in; throttled like the sign-in. */
export class PasswordCheck {
  readonly #deps: PasswordCheckDeps;

  constructor(deps: PasswordCheckDeps) {
    this.#deps = deps;
  }

  /** Throws `auth.passwordRefused`, `auth.throttled` and `accounts.busy`. */
  async confirm(call: CallContext, password: string): Promise<void> {
    const { accounts, audit, db, throttle } = this.#deps;
    const { accountId } = call.account();
    const subjects = ownSubjects(accountId);
    const { wait, hash } = await db.read("auth.ownPassword", async (tx) => ({
      wait: await throttle.wait(tx, subjects, true),
      hash: await accounts.passwordHash(tx, accountId),
    }));
    if (wait > 0) throw throttled(wait);
    const counted: Counted[] = [];
    const right = await accounts.passwordMatches(hash, password, knownCaller(accountId), async () => {
      counted.push(await db.write("auth.ownPasswordTry", async (tx) => await throttle.consume(tx, subjects, true)));
    });
    await db.write(right ? "auth.ownPasswordRight" : "auth.ownPasswordFailed", async (tx) => {
      if (right) for (const one of counted) await throttle.refund(tx, one, ["pair"]);
      else
        await audit.recordFolded(tx, call.actor, {
          action: "auth.confirmPassword",
          result: "denied",
          object: { kind: "account", id: accountId },
          info: { why: "wrong password" },
        });
    });
    if (right) return;
    throw new AppError(authErrors.passwordRefused);
  }
}
