import type { Actor } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Finding } from "#core/feature.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { AccessApi, AdminLists } from "#features/access/access.api.ts";
import type { SettingsApi, SettingsCheck } from "#features/settings/settings.api.ts";
import { type Settings, settingsErrors } from "#features/settings/settings.contract.ts";
import * as repo from "./accounts.admins.repo.ts";
import { configAdminNames } from "./accounts.policy.ts";
import { hasLogin } from "./accounts.repo.ts";

export interface LastAdminDeps {
  readonly db: Database;
  readonly settings: SettingsApi;
  /** `auth.*` of the configuration. */
  readonly configured: AdminLists;
  readonly access: AccessApi;
}

type Auth = Settings["auth"];
type Row = Pick<repo.StandingRow, "licence" | "staff_groups" | "confirmed_groups">;

const accountsPerStatement = 200;

/** Keeps an instance from losing its last config admin by its settings, and finds one that has none. */
export class LastAdminService {
  /** For every change of the settings by somebody who is signed in, in whatever way. */
  readonly check: SettingsCheck = async (tx, actor, before, after) => await this.#check(tx, actor, before.auth, after.auth);
  readonly #deps: LastAdminDeps;

  constructor(deps: LastAdminDeps) {
    this.#deps = deps;
  }

  /** For the doctor. While nobody at all can sign in, each start prints the address of the setup instead. */
  async findings(): Promise<Finding[]> {
    const { configured, db, settings } = this.#deps;
    return await db.read("accounts.lastAdmin", async (tx) => {
      const { auth } = await settings.read(tx);
      if (!(await hasLogin(tx, { enabled: true })) || (await this.#someCanSignIn(tx, auth))) return [];
      const [group] = configAdminNames(configured, auth).groups;
      if (group === undefined) return [{ id: "accounts.noConfigAdminNamed", state: "problem", params: {} }];
      return [{ id: "accounts.noConfigAdmin", state: "problem", params: { group } }];
    });
  }

  async #check(tx: Tx, actor: Actor, before: Auth, after: Auth): Promise<void> {
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    // Who has the machine can also give the powers back.
    if (actor.kind !== "account" && actor.kind !== "character") return;
    // Locked before the others are read: who disables this account beside the change waits for it, or is seen here.
    const [own] = await repo.lockStandings(tx, [actor.accountId]);
    if (own?.enabled !== 1 || own.deleted_at !== null) throw new AppError(guardErrors.signInNeeded);
    if (!this.#isConfigAdmin(own, before)) throw new AppError(guardErrors.configAdminNeeded);
    // The setup names the first one before it has a password.
    if (!(await this.#someCanSignIn(tx, after)) && (await this.#someCanSignIn(tx, before)))
      throw new AppError(settingsErrors.noConfigAdminLeft);
    if (!this.#isConfigAdmin(own, after)) throw new AppError(settingsErrors.takesOwnPower);
  }

  async #someCanSignIn(tx: Tx, auth: Auth): Promise<boolean> {
    const names = configAdminNames(this.#deps.configured, auth);
    for (let after = 0; ;) {
      const rows = await repo.namedLogins(tx, names, after, accountsPerStatement);
      if (rows.some((row) => this.#isConfigAdmin(row, auth))) return true;
      if (rows.length < accountsPerStatement) return false;
      after = rows.at(-1)?.id ?? 0;
    }
  }

  #isConfigAdmin(row: Row, auth: Auth): boolean {
    const groups = JSON.parse(row.staff_groups) as string[];
    const confirmedGroups = JSON.parse(row.confirmed_groups ?? "[]") as string[];
    return this.#deps.access.powersOf({ licence: row.licence, groups, confirmedGroups }, auth).configAdmin;
  }
}
