import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import { authErrors, type OwnerProof } from "./auth.contract.ts";
import { find as findFactor } from "./auth.factor.repo.ts";
import type { FactorService } from "./auth.factor.service.ts";
import type { PasswordCheck } from "./auth.password.service.ts";
import { sessionOpenedAt } from "./auth.repo.ts";

/** How recently a session must have been opened to take the place of a password. */
const freshMinutes = 5;

export interface OwnerCheckDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: AccountsApi;
  readonly factor: FactorService;
  readonly passwordCheck: PasswordCheck;
}

/** Distinguishes the owner of an account from another person at the owner's open browser. */
export class OwnerCheck {
  readonly #deps: OwnerCheckDeps;

  constructor(deps: OwnerCheckDeps) {
    this.#deps = deps;
  }

  /** Throws one of `ownerProofErrors` when the proof is wrong or missing. */
  async confirm(call: CallContext, { password, code }: OwnerProof): Promise<void> {
    const { accounts, clock, db, factor, passwordCheck } = this.#deps;
    if (password !== undefined) return await passwordCheck.confirm(call, password);
    if (code !== undefined) return await factor.confirmCode(call, code);
    const { accountId, sessionId } = call.account();
    const { has, openedAt } = await db.read("auth.owner", async (tx) => ({
      has: (await accounts.passwordHash(tx, accountId)) !== null || (await findFactor(tx, accountId))?.confirmed_at != null,
      openedAt: await sessionOpenedAt(tx, sessionId),
    }));
    if (has) throw new AppError(authErrors.confirmationNeeded);
    if (openedAt === null || clock.now() - openedAt > freshMinutes * 60_000)
      throw new AppError(authErrors.signInAnew, { params: { minutes: freshMinutes } });
  }
}
