import type { Actor } from "#core/actor.ts";
import { readCursor, writeCursor } from "#core/cursor.ts";
import { writeAnew } from "#core/db/anew.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import type { Page } from "#core/contract/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { AccountDetail, AccountRow, IssuedToken, TokenKind } from "./accounts.contract.ts";
import { accountsErrors } from "./accounts.contract.ts";
import * as panel from "./accounts.panel.repo.ts";
import { usernameKey, usernameValid } from "./accounts.policy.ts";
import * as repo from "./accounts.repo.ts";
import { type AccountsDeps, type AccountsService, orUsernameTaken } from "./accounts.service.ts";
import * as tokenRows from "./accounts.tokens.repo.ts";
import type { TokensService } from "./accounts.tokens.service.ts";

interface AdminLists {
  readonly jobAdminGroups: readonly string[];
  readonly jobAdminUsers: readonly string[];
  readonly configAdminGroups: readonly string[];
  readonly configAdminUsers: readonly string[];
}

export interface PanelDeps extends AccountsDeps {
  readonly settings: SettingsApi;
  readonly accounts: AccountsService;
  readonly tokens: TokensService;
  /** `auth.*` of the configuration. */
  readonly admins: AdminLists;
}

const countedTo = 1000;

interface ListQuery {
  q?: string;
  only?: "disabled" | "admins" | "withoutPassword" | "deleted";
  cursor?: string;
  limit?: number;
}

/** What config admins do with accounts. */
export function createPanelService(deps: PanelDeps) {
  function rowOf(row: panel.PanelRow): AccountRow {
    const groups = JSON.parse(row.staff_groups) as string[];
    const powers = deps.accounts.hooks().powersOf({ licence: row.licence, groups });
    return {
      id: row.id,
      username: row.username,
      licence: row.licence,
      groups,
      enabled: row.enabled === 1,
      hasPassword: row.password_hash !== null,
      admin: powers.configAdmin ? "config" : powers.mayJobAdmin ? "job" : null,
      createdAt: row.created_at,
      deletedAt: row.deleted_at,
    };
  }

  async function detailOf(tx: Tx, row: panel.PanelRow): Promise<AccountDetail> {
    return {
      ...rowOf(row),
      disabledReason: row.disabled_reason,
      deletedBy: row.deleted_by,
      deletedReason: row.deleted_reason,
      tokens: await tokenRows.usableTokens(tx, row.id, deps.clock.now()),
    };
  }

  async function need(tx: Tx, id: number): Promise<panel.PanelRow> {
    const row = await panel.findAny(tx, id);
    if (!row) throw new AppError(accountsErrors.notFound, { params: { account: id } });
    return row;
  }

  function notOneself(call: CallContext, id: number): void {
    if (call.account().accountId === id) throw new AppError(accountsErrors.ownAccount);
  }

  /** One change with its audit row and its event; answers with the account as it is then. */
  async function change(
    call: CallContext,
    id: number,
    action: string,
    work: (
      tx: Tx,
      row: panel.PanelRow,
    ) => Promise<{ before: object; after: object; endSessions: boolean; reason?: string | null }>,
  ): Promise<AccountDetail> {
    return await writeAnew(deps.db, action, async (tx) => {
      const row = await need(tx, id);
      const { before, after, endSessions, reason } = await work(tx, row);
      await deps.audit.record(tx, call.actor, {
        action,
        object: { kind: "account", id },
        before,
        after,
        ...(reason == null ? {} : { info: { reason } }),
      });
      await deps.accounts.announce(tx, [id], endSessions);
      return await detailOf(tx, await need(tx, id));
    });
  }

  async function filterOf(query: ListQuery): Promise<panel.PanelFilter> {
    const more = (await deps.settings.current()).auth;
    const groups = [deps.admins, more].flatMap((lists) => [...lists.configAdminGroups, ...lists.jobAdminGroups]);
    const users = [deps.admins, more].flatMap((lists) => [...lists.configAdminUsers, ...lists.jobAdminUsers]);
    const text = bareLicence((query.q ?? "").trim()).toLowerCase();
    return { ...(text === "" ? {} : { text }), only: query.only, admins: { groups, licences: users.map(bareLicence) } };
  }

  /** A row without a login at the target goes; its groups, which the game sent for that licence, stay. */
  async function mergeInto(tx: Tx, actor: Actor, row: panel.PanelRow, licence: string): Promise<{ staff_groups?: string }> {
    const other = await panel.lockByLicence(tx, licence);
    if (!other || other.id === row.id) return {};
    if (other.username !== null || other.password_hash !== null) {
      throw new AppError(accountsErrors.licenceHasLogin, { params: { licence, account: other.username ?? `${other.id}` } });
    }
    await deps.accounts.forgetAll(tx, [other.id]);
    await deps.audit.record(tx, actor, {
      action: "accounts.merge",
      object: { kind: "account", id: other.id },
      before: { licence, groups: JSON.parse(other.staff_groups) as string[] },
      after: { into: row.id },
    });
    return { staff_groups: other.staff_groups };
  }

  return {
    async list(query: ListQuery): Promise<Page<AccountRow>> {
      const limit = query.limit ?? 50;
      const before = query.cursor === undefined ? null : readCursor(query.cursor).id;
      const filter = await filterOf(query);
      return await deps.db.read("accounts.list", async (tx) => {
        const rows = await panel.page(tx, filter, before, limit + 1);
        const total = await panel.countRows(tx, filter, countedTo + 1);
        const shown = rows.slice(0, limit);
        const last = shown.at(-1);
        return {
          items: shown.map(rowOf),
          next: rows.length > limit && last ? writeCursor({ key: "", id: last.id }) : null,
          total: Math.min(total, countedTo),
          totalCapped: total > countedTo,
        };
      });
    },

    get: async (id: number) => await deps.db.read("accounts.get", async (tx) => await detailOf(tx, await need(tx, id))),

    async create(call: CallContext, input: { licence: string; username?: string }): Promise<IssuedToken> {
      const { username } = input;
      if (username !== undefined && !usernameValid(username)) throw new AppError(accountsErrors.usernameInvalid);
      const store = async (tx: Tx) => {
        const { id } = await deps.tokens.made(tx, call.actor, bareLicence(input.licence));
        const row = await need(tx, id);
        const issued = await deps.tokens.issueFor(tx, call.actor, row, "register");
        if (username === undefined) return issued;
        await repo.update(tx, id, { username, username_key: usernameKey(username), updated_at: deps.clock.now() });
        return { ...issued, username };
      };
      return await orUsernameTaken(username ?? "", async () => await deps.db.write("accounts.create", store));
    },

    async setEnabled(call: CallContext, id: number, input: { enabled: boolean; reason?: string }) {
      if (!input.enabled) notOneself(call, id);
      return await change(call, id, "accounts.setEnabled", async (tx, row) => {
        const reason = input.enabled ? null : (input.reason ?? null);
        await repo.update(tx, id, {
          enabled: input.enabled ? 1 : 0,
          disabled_reason: reason,
          updated_at: deps.clock.now(),
        });
        return {
          before: { enabled: row.enabled === 1 },
          after: { enabled: input.enabled },
          endSessions: !input.enabled,
          reason: input.reason ?? null,
        };
      });
    },

    issueToken: async (call: CallContext, id: number, kind: TokenKind): Promise<IssuedToken> =>
      await deps.db.write(
        "accounts.issueToken",
        async (tx) => await deps.tokens.issueFor(tx, call.actor, await need(tx, id), kind),
      ),

    async setLicence(call: CallContext, id: number, input: { licence: string; reason: string }) {
      const licence = bareLicence(input.licence);
      return await change(call, id, "accounts.setLicence", async (tx, row) => {
        const groups = await mergeInto(tx, call.actor, row, licence);
        await repo.update(tx, id, {
          licence,
          ...groups,
          last_character_id: null,
          game_character: null,
          updated_at: deps.clock.now(),
        });
        return { before: { licence: row.licence }, after: { licence }, endSessions: false, reason: input.reason };
      });
    },

    async remove(call: CallContext, id: number, reason: string) {
      notOneself(call, id);
      return await change(call, id, "accounts.delete", async (tx, row) => {
        const at = row.deleted_at ?? deps.clock.now();
        const by = call.account().username;
        await repo.update(tx, id, { deleted_at: at, deleted_by: by, deleted_reason: reason, updated_at: at });
        return { before: { deleted: row.deleted_at !== null }, after: { deleted: true }, endSessions: true, reason };
      });
    },

    restore: async (call: CallContext, id: number) =>
      await change(call, id, "accounts.restore", async (tx, row) => {
        await repo.update(tx, id, {
          deleted_at: null,
          deleted_by: null,
          deleted_reason: null,
          updated_at: deps.clock.now(),
        });
        return { before: { deleted: row.deleted_at !== null }, after: { deleted: false }, endSessions: false };
      }),

    removeTokens: tokenRows.removeExpired,

    /** For good, with what other features hold of them. */
    async removeDeleted(tx: Tx, before: number, limit: number): Promise<number> {
      const ids = await panel.deletedBefore(tx, before, limit);
      await deps.accounts.forgetAll(tx, ids);
      return ids.length;
    },
  };
}

export type PanelService = ReturnType<typeof createPanelService>;
