import type { InputOf, Page } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { bareLicence } from "#core/licence.ts";
import { mostFound, readPage } from "#core/paging.ts";
import type { Database, Search, Tx } from "#core/ports/index.ts";
import type { AccessApi, AdminLists } from "#features/access/access.api.ts";
import {
  charactersOfLicences,
  citizensSearchKind,
  licencesOfCharacters,
  type LicensedCharacter,
} from "#features/citizens/citizens.reads.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { AccountDetail, AccountRow, listAccounts } from "./accounts.contract.ts";
import { accountsErrors } from "./accounts.contract.ts";
import * as panel from "./accounts.panel.repo.ts";
import { panelEvents } from "./accounts.machine.ts";
import { adminNames, charactersMeant, mayBeName } from "./accounts.policy.ts";
import { accountsList } from "./accounts.schema.ts";
import { factsOf, refusalOf } from "./accounts.states.policy.ts";
import type { AccountTokens } from "./accounts.tokens.service.ts";

export interface AccountsListDeps {
  readonly db: Database;
  readonly search: Search;
  readonly access: AccessApi;
  readonly settings: SettingsApi;
  readonly tokens: AccountTokens;
  /** `auth.*` of the configuration. */
  readonly configured: AdminLists;
}

type ListQuery = InputOf<typeof listAccounts>["query"];

/** Characters that a row of the list names. */
const listedCharacters = 2;

/** Accounts as config admins see them. */
export class AccountsListService {
  readonly #deps: AccountsListDeps;

  constructor(deps: AccountsListDeps) {
    this.#deps = deps;
  }

  async list(query: ListQuery): Promise<Page<AccountRow>> {
    const { auth } = await this.#deps.settings.current();
    return await this.#deps.db.read("accounts.list", async (tx) => {
      const filter = await this.#filterOf(tx, query, adminNames(this.#deps.configured, auth));
      if (filter === null) return { items: [], next: null, total: 0, totalCapped: false };
      const page = await readPage(accountsList, query, {
        rows: async (position, limit) => await panel.listRows(tx, filter, position, limit),
        count: async (cap) => await panel.countRows(tx, filter, cap),
      });
      const licences = page.items.map(({ licence }) => licence);
      const characters = Map.groupBy(await charactersOfLicences(tx, licences), ({ licence }) => licence);
      return { ...page, items: page.items.map((row) => this.#rowOf(row, characters.get(row.licence) ?? [], listedCharacters)) };
    });
  }

  async get(id: number): Promise<AccountDetail> {
    return await this.#deps.db.read("accounts.get", async (tx) => await this.detail(tx, id));
  }

  /** Throws `accounts.notFound`. */
  async detail(tx: Tx, id: number): Promise<AccountDetail> {
    const row = await this.require(tx, id);
    return {
      ...this.#rowOf(row, await charactersOfLicences(tx, [row.licence])),
      disabledReason: row.disabled_reason,
      deletedBy: row.deleted_by,
      deletedReason: row.deleted_reason,
      events: panelEvents.filter((event) => refusalOf(factsOf(row), event) === null),
      tokens: await this.#deps.tokens.list(tx, row.id),
    };
  }

  /** Throws `accounts.notFound`. */
  async require(tx: Tx, id: number): Promise<panel.PanelRow> {
    const row = await panel.findAny(tx, id);
    if (!row) throw new AppError(accountsErrors.notFound, { params: { account: id } });
    return row;
  }

  /** As `require`; locked until the unit of work ends, so that its state stays what was checked. */
  async lock(tx: Tx, id: number): Promise<panel.PanelRow> {
    const row = await panel.lockAny(tx, id);
    if (!row) throw new AppError(accountsErrors.notFound, { params: { account: id } });
    return row;
  }

  #rowOf(row: panel.PanelRow, characters: readonly LicensedCharacter[], most = Infinity): AccountRow {
    const groups = JSON.parse(row.staff_groups) as string[];
    const confirmedGroups = JSON.parse(row.confirmed_groups ?? "[]") as string[];
    const powers = this.#deps.access.powersOf({ licence: row.licence, groups, confirmedGroups });
    return {
      id: row.id,
      username: row.username,
      licence: row.licence,
      groups,
      enabled: row.enabled === 1,
      hasPassword: row.password_hash !== null,
      admin: powers.configAdmin ? "config" : powers.mayJobAdmin ? "job" : null,
      adminWaiting: powers.waiting,
      characters: characters.slice(0, most).map(({ id, name }) => ({ id, name })),
      characterCount: characters.length,
      createdAt: row.created_at,
      lastSeenAt: row.last_seen_at,
      deletedAt: row.deleted_at,
    };
  }

  /** Null when the character that is wanted has no account. */
  async #filterOf(
    tx: Tx,
    { character, only, q = "" }: ListQuery,
    admins: panel.PanelFilter["admins"],
  ): Promise<panel.PanelFilter | null> {
    const [licence] = character === undefined ? [] : await licencesOfCharacters(tx, [character]);
    if (character !== undefined && licence === undefined) return null;
    const of = licence === undefined ? {} : { licence };
    const text = bareLicence(q.trim()).toLowerCase();
    if (text === "") return { ...of, only, admins };
    if (!mayBeName(text)) return { ...of, text, only, admins };
    const { hits } = await this.#deps.search.find(tx, citizensSearchKind, text, { fields: ["name"], limit: mostFound });
    return { ...of, text, named: await licencesOfCharacters(tx, charactersMeant(hits)), only, admins };
  }
}
