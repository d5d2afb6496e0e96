import type { Actor } from "#core/actor.ts";
import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { AdminsService } from "./accounts.admins.service.ts";
import type { AccountChanges, ChangedColumn } from "./accounts.changes.service.ts";
import type { AccountDetail, IssuedToken, TokenKind } from "./accounts.contract.ts";
import { accountsErrors } from "./accounts.contract.ts";
import type { AccountsListService } from "./accounts.list.service.ts";
import { mapDuplicateUsername } from "./accounts.logins.service.ts";
import * as panel from "./accounts.panel.repo.ts";
import { usernameKey, usernameValid } from "./accounts.policy.ts";
import type { AccountEvent } from "./accounts.machine.ts";
import { factsOf, refusalOf, requirePossible } from "./accounts.states.policy.ts";
import * as repo from "./accounts.repo.ts";
import * as tokenRows from "./accounts.tokens.repo.ts";
import type { TokenIssuingService } from "./accounts.tokens.issue.service.ts";
import type { AccountTokens } from "./accounts.tokens.service.ts";

export interface PanelDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly admins: AdminsService;
  readonly changes: AccountChanges;
  readonly list: AccountsListService;
  readonly issuing: TokenIssuingService;
  readonly tokens: AccountTokens;
}

/** The effect of a change, for the audit log. */
interface Changed {
  readonly before: object;
  readonly after: object;
  readonly changed: readonly ChangedColumn[];
  readonly endSessions: boolean;
  readonly reason?: string | null;
}

function deletionOf(row: panel.PanelRow, deleted: boolean): Pick<Changed, "before" | "after" | "changed"> {
  return { before: { deleted: row.deleted_at !== null }, after: { deleted }, changed: ["deleted_at"] };
}

/** Who changes accounts: a config admin, or an operator by the command line. */
export interface AccountChanger {
  readonly actor: Actor;
  account(): { readonly accountId: number; readonly username: string };
}

function refuseOwnAccount(call: AccountChanger, id: number): void {
  if (call.account().accountId === id) throw new AppError(accountsErrors.ownAccount);
}

/** What config admins change in accounts. */
export class PanelService {
  /** What removes the rows of each retention step. */
  readonly prune = {
    tokens: tokenRows.pruneExpired,
    accounts: async (tx: Tx, before: number, limit: number) => await this.#purge(tx, before, limit),
  };
  readonly #deps: PanelDeps;

  constructor(deps: PanelDeps) {
    this.#deps = deps;
  }

  async create(call: CallContext, input: { licence: string; username?: string }): Promise<IssuedToken> {
    const { clock, db, list, issuing } = this.#deps;
    const { username } = input;
    if (username !== undefined && !usernameValid(username)) throw new AppError(accountsErrors.usernameInvalid);
    const store = async (tx: Tx) => {
      const { id } = await issuing.findOrCreate(tx, call.actor, bareLicence(input.licence));
      const row = await list.lock(tx, id);
      const issued = await issuing.issueFor(tx, call.actor, row, "register");
      if (username === undefined) return issued;
      requirePossible(factsOf(row), "reserve");
      await repo.update(tx, id, { username, username_key: usernameKey(username), updated_at: clock.now() });
      return { ...issued, username };
    };
    return await mapDuplicateUsername(username ?? "", async () => await db.write("accounts.create", store));
  }

  async setEnabled(call: AccountChanger, id: number, input: { enabled: boolean; reason?: string }): Promise<AccountDetail> {
    if (!input.enabled) refuseOwnAccount(call, id);
    return await this.#change(
      call,
      id,
      { action: "accounts.setEnabled", event: input.enabled ? "enable" : "disable" },
      async (tx, row) => {
        const reason = input.enabled ? null : (input.reason ?? null);
        if (!input.enabled) await this.#endTokens(tx, id);
        await repo.update(tx, id, {
          enabled: input.enabled ? 1 : 0,
          disabled_reason: reason,
          updated_at: this.#deps.clock.now(),
        });
        return {
          before: { enabled: row.enabled === 1 },
          after: { enabled: input.enabled },
          changed: ["enabled"],
          endSessions: !input.enabled,
          reason: input.reason ?? null,
        };
      },
    );
  }

  async issueToken(call: CallContext, id: number, kind: TokenKind): Promise<IssuedToken> {
    const { db, list, issuing } = this.#deps;
    return await db.write(
      "accounts.issueToken",
      async (tx) => await issuing.issueFor(tx, call.actor, await list.lock(tx, id), kind),
    );
  }

  async revokeToken(call: CallContext, id: number, kind: TokenKind): Promise<AccountDetail> {
    const { audit, db, list, tokens } = this.#deps;
    return await db.write("accounts.revokeToken", async (tx) => {
      await list.require(tx, id);
      if (!(await tokens.revoke(tx, id, kind))) throw new AppError(accountsErrors.tokenMissing);
      await audit.record(tx, call.actor, {
        action: "accounts.revokeToken",
        object: { kind: "account", id },
        info: { kind },
      });
      return await list.detail(tx, id);
    });
  }

  async setLicence(call: AccountChanger, id: number, input: { licence: string; reason: string }): Promise<AccountDetail> {
    const { admins, clock } = this.#deps;
    const licence = bareLicence(input.licence);
    return await this.#change(call, id, { action: "accounts.setLicence", event: "move" }, async (tx, row) => {
      const groups = await this.#mergeInto(tx, call.actor, row, licence);
      // They were given to the player of the licence before.
      await this.#deps.tokens.end(tx, [id]);
      await repo.update(tx, id, {
        licence,
        ...groups,
        last_character_id: null,
        game_character: null,
        updated_at: clock.now(),
      });
      await admins.reconcileAdmins(tx, call.actor, [id]);
      if (call.account().accountId === id) await admins.refuseOwnLoss(tx, id);
      return {
        before: { licence: row.licence },
        after: { licence },
        changed: ["licence", "staff_groups", "confirmed_groups", "last_character_id", "game_character"],
        endSessions: false,
        reason: input.reason,
      };
    });
  }

  /** Marks the account as deleted. */
  async remove(call: AccountChanger, id: number, reason: string): Promise<AccountDetail> {
    refuseOwnAccount(call, id);
    return await this.#change(call, id, { action: "accounts.delete", event: "delete" }, async (tx, row) => {
      const at = this.#deps.clock.now();
      const by = call.account().username;
      await repo.update(tx, id, { deleted_at: at, deleted_by: by, deleted_reason: reason, updated_at: at });
      await this.#endTokens(tx, id);
      await this.#deps.admins.reconcileAdmins(tx, call.actor, [id]);
      return { ...deletionOf(row, true), endSessions: true, reason };
    });
  }

  async restore(call: AccountChanger, id: number): Promise<AccountDetail> {
    return await this.#change(call, id, { action: "accounts.restore", event: "restore" }, async (tx, row) => {
      await repo.update(tx, id, {
        deleted_at: null,
        deleted_by: null,
        deleted_reason: null,
        updated_at: this.#deps.clock.now(),
      });
      await this.#deps.admins.reconcileAdmins(tx, call.actor, [id]);
      return { ...deletionOf(row, false), endSessions: false };
    });
  }

  async confirmAdmin(call: CallContext, id: number, power: "config" | "job"): Promise<AccountDetail> {
    const { admins, db, list } = this.#deps;
    return await db.write("accounts.confirmAdmin", async (tx) => {
      await list.lock(tx, id);
      await admins.confirm(tx, call.actor, id, power);
      return await list.detail(tx, id);
    });
  }

  /** One change with its audit entry and its event; returns the account after it. Throws unless its state allows `event`. */
  async #change(
    call: AccountChanger,
    id: number,
    { action, event }: { readonly action: string; readonly event: AccountEvent },
    work: (tx: Tx, row: panel.PanelRow) => Promise<Changed>,
  ): Promise<AccountDetail> {
    const { audit, changes, db, list } = this.#deps;
    return await retryOnDuplicate(db, action, async (tx) => {
      await this.#requireChanger(tx, call.actor, id);
      const row = await list.lock(tx, id);
      requirePossible(factsOf(row), event);
      const { before, after, changed, endSessions, reason } = await work(tx, row);
      await audit.record(tx, call.actor, {
        action,
        object: { kind: "account", id },
        before,
        after,
        ...(reason == null ? {} : { info: { reason } }),
      });
      await changes.emitChanged(tx, [id], changed, endSessions);
      return await list.detail(tx, id);
    });
  }

  /** Of two config admins who disable or delete each other at once, the second one is none any more. */
  async #requireChanger(tx: Tx, actor: Actor, id: number): Promise<void> {
    if (!("accountId" in actor)) return;
    await panel.lockInOrder(tx, [actor.accountId, id]);
    await this.#deps.admins.requireConfigAdmin(tx, actor.accountId);
  }

  /** Those for the account, and those that it issued. */
  async #endTokens(tx: Tx, id: number): Promise<void> {
    await this.#deps.tokens.end(tx, [id]);
    await this.#deps.tokens.endIssuedBy(tx, [id]);
  }

  /** Purges a row without a login at the target; returns its groups, which the game server sent for that licence. */
  async #mergeInto(
    tx: Tx,
    actor: Actor,
    row: panel.PanelRow,
    licence: string,
  ): Promise<{ staff_groups?: string; confirmed_groups?: string | null }> {
    const other = await panel.lockByLicence(tx, licence);
    if (!other || other.id === row.id) return {};
    if (refusalOf(factsOf(other), "merge") !== null) {
      throw new AppError(accountsErrors.licenceHasLogin, { params: { licence, account: other.username ?? `${other.id}` } });
    }
    await this.#deps.changes.purge(tx, [other.id]);
    await this.#deps.audit.record(tx, actor, {
      action: "accounts.merge",
      object: { kind: "account", id: other.id },
      before: { licence, groups: JSON.parse(other.staff_groups) as string[] },
      after: { into: row.id },
    });
    return { staff_groups: other.staff_groups, confirmed_groups: other.confirmed_groups };
  }

  async #purge(tx: Tx, before: number, limit: number): Promise<number> {
    const ids = await panel.deletedBefore(tx, before, limit);
    await this.#deps.changes.purge(tx, ids);
    return ids.length;
  }
}
