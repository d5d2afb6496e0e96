import type { Actor } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { AdminsService } from "./accounts.admins.service.ts";
import { accountsErrors, type IssuedToken, type TokenKind } from "./accounts.contract.ts";
import * as panel from "./accounts.panel.repo.ts";
import * as repo from "./accounts.repo.ts";
import { factsOf, requirePossible } from "./accounts.states.policy.ts";
import type { AccountTokens } from "./accounts.tokens.service.ts";

export interface TokenIssuingDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  readonly admins: AdminsService;
  readonly tokens: AccountTokens;
  /** Base address of the pages on which tokens are used. */
  readonly publicUrl: string;
}

/** Issues the tokens with which people register and set another password. */
export class TokenIssuingService {
  readonly #deps: TokenIssuingDeps;

  constructor(deps: TokenIssuingDeps) {
    this.#deps = deps;
  }

  async issueByLicence(call: CallContext, input: { licence: string; kind: TokenKind }): Promise<IssuedToken> {
    const { admins, db } = this.#deps;
    return await db.write("accounts.syncToken", async (tx) => {
      const licence = bareLicence(input.licence);
      const account = await this.findOrCreate(tx, call.actor, licence);
      if (await admins.outOfReach(tx, account)) throw new AppError(accountsErrors.outOfReach, { params: { licence } });
      return await this.issueFor(tx, call.actor, account, input.kind);
    });
  }

  /** In the caller's unit of work, so that an account and its first token are stored together. */
  async issueFor(tx: Tx, actor: Actor, account: panel.PanelRow, kind: TokenKind): Promise<IssuedToken> {
    const { admins, audit, publicUrl, settings, tokens } = this.#deps;
    if ("accountId" in actor) await admins.requireConfigAdmin(tx, actor.accountId);
    if (kind === "register" && !(await settings.read(tx)).auth.signUp) throw new AppError(accountsErrors.signUpOff);
    requirePossible(factsOf(account), kind === "register" ? "issueRegisterToken" : "issueResetToken");
    const name = account.username ?? account.licence;
    const { token, expiresAt } = await tokens.issue(tx, actor, { id: account.id, name }, kind);
    await audit.record(tx, actor, {
      action: "accounts.issueToken",
      object: { kind: "account", id: account.id },
      info: { kind, expiresAt },
    });
    const url = `${publicUrl.replace(/\/$/, "")}/${kind}#${token}`;
    return { token, url, expiresAt, accountId: account.id, username: account.username };
  }

  /** The account of a licence, locked until the unit of work ends. */
  async findOrCreate(tx: Tx, actor: Actor, licence: string): Promise<panel.PanelRow> {
    const { audit, clock } = this.#deps;
    const known = await panel.lockByLicence(tx, licence);
    if (known) return known;
    await repo.insertMany(tx, [{ licence, groups: [], confirmedGroups: [] }], clock.now());
    const row = await panel.lockByLicence(tx, licence);
    if (!row) throw new Error("the account just written is missing");
    await audit.record(tx, actor, {
      action: "accounts.create",
      object: { kind: "account", id: row.id },
      after: { licence },
    });
    return row;
  }
}
