import { type Actor, actorName } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Finding } from "#core/feature.ts";
import type { ApprovalHandler, ApprovalRequest, Approvals, Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AccessApi, AdminLists } from "#features/access/access.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { Settings } from "#features/settings/settings.contract.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import * as panel from "./accounts.panel.repo.ts";
import * as repo from "./accounts.admins.repo.ts";
import type { AccountChanges } from "./accounts.changes.service.ts";
import { AdminClaims, type Claim, fingerprintOf } from "./accounts.claims.service.ts";
import { accountsErrors, adminPowerApproval, powersGained } from "./accounts.contract.ts";
import { adminNames } from "./accounts.policy.ts";
import type { AccountTokens } from "./accounts.tokens.service.ts";

export interface AdminsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly settings: SettingsApi;
  /** `auth.*` of the configuration. */
  readonly configured: AdminLists;
  readonly access: AccessApi;
  readonly changes: AccountChanges;
  readonly tokens: Pick<AccountTokens, "endIssuedBy">;
  readonly approvals: () => Approvals;
}

const accountsPerStatement = 200;
const day = 24 * 60 * 60_000;
/** How long the doctor shows that an account gained powers. */
const shownMs = 7 * day;
const maxShown = 20;

/** The first admin has nobody who made it one: somebody with the address of the setup did. */
const unnamed = "setup";

const rank = { config: 2, job: 1, none: 0 } as const;
const rankOf = (power: repo.Power | null) => rank[power ?? "none"];

type Row = Pick<repo.StandingRow, "licence" | "staff_groups" | "confirmed_groups">;
type Auth = Settings["auth"];

/** Detects which accounts gain admin powers, in whatever way, and lets config admins confirm those that the game server names. */
export class AdminsService {
  /** The request of an account whose claim a config admin has to confirm. */
  readonly approvalHandler: ApprovalHandler = {
    approval: adminPowerApproval,
    steps: async () => await Promise.resolve([[{ by: "configAdmins" }]]),
    lock: async (tx, subjects) => void (await repo.lockStandings(tx, subjects.map(Number))),
    decided: async (tx, actor, request, outcome) => {
      if (outcome === "approved") await this.#confirmed(tx, actor, request);
    },
  };
  readonly #deps: AdminsDeps;
  readonly #claims: AdminClaims;

  constructor(deps: AdminsDeps) {
    this.#deps = deps;
    this.#claims = new AdminClaims(deps.approvals);
  }

  async start(): Promise<void> {
    const actor: Actor = { kind: "system", name: "start" };
    await this.#deps.db.write("accounts.settleAdmins", async (tx) => await this.reconcileAllAdmins(tx, actor));
  }

  /** Stores which admin powers these accounts have now; in the unit of work that changed them. */
  async reconcileAdmins(tx: Tx, actor: Actor, ids: readonly number[]): Promise<void> {
    const { auth } = await this.#deps.settings.read(tx);
    for (const row of await repo.lockStandings(tx, ids)) await this.#reconcileOne(tx, actor, row, auth, false);
  }

  /** The same for all accounts that the old or the new lists name, after a change of the lists. */
  async reconcileAllAdmins(tx: Tx, actor: Actor): Promise<void> {
    // The first run after an upgrade finds admins of earlier versions, which gained nothing now.
    const quiet = await repo.hasNoRecordedAdmins(tx);
    const { auth } = await this.#deps.settings.read(tx);
    const names = adminNames(this.#deps.configured, auth);
    for (let after = 0; ;) {
      const ids = await repo.affected(tx, names, after, accountsPerStatement);
      for (const row of await repo.lockStandings(tx, ids)) await this.#reconcileOne(tx, actor, row, auth, quiet);
      after = ids.at(-1) ?? 0;
      if (ids.length < accountsPerStatement) return;
    }
  }

  /** Whether the game server may not touch this account: it has or had admin powers, or its groups claim some. */
  async outOfReach(tx: Tx, row: Row & { readonly admin_at: number | null }): Promise<boolean> {
    if (row.admin_at !== null) return true;
    const { power, waiting } = this.#standingOf(row, (await this.#deps.settings.read(tx)).auth);
    return power !== null || waiting !== null;
  }

  /**
   * Throws unless this account is a config admin at this moment, and keeps it one until the unit of work ends. The
   * request guard asked before, so without this a token could be issued beside the change that ends its issuer's.
   */
  async requireConfigAdmin(tx: Tx, accountId: number): Promise<void> {
    const row = await panel.lockAny(tx, accountId);
    if (row?.enabled !== 1 || row.deleted_at !== null) throw new AppError(guardErrors.signInNeeded);
    if (!(await this.#isConfigAdmin(tx, row))) throw new AppError(guardErrors.configAdminNeeded);
  }

  /** Throws when a config admin's change of the own account has taken its power: another one can, who stays. */
  async refuseOwnLoss(tx: Tx, accountId: number): Promise<void> {
    const row = await panel.lockAny(tx, accountId);
    if (row && !(await this.#isConfigAdmin(tx, row))) throw new AppError(accountsErrors.ownAccount);
  }

  async #isConfigAdmin(tx: Tx, row: Row): Promise<boolean> {
    return this.#standingOf(row, (await this.#deps.settings.read(tx)).auth).power === "config";
  }

  /** For the doctor. */
  async findings(): Promise<Finding[]> {
    const { clock, db } = this.#deps;
    return await db.read("accounts.adminFindings", async (tx) => {
      const waiting = await repo.waiting(tx, maxShown);
      const gained = await repo.gainsSince(tx, clock.now() - shownMs, maxShown);
      const found: Finding[] = [];
      if (waiting.length > 0) {
        const list = waiting.map(({ name, power }) => `${name} (${power})`).join(", ");
        found.push({ id: "accounts.adminsWaiting", state: "warning", params: { count: waiting.length, list } });
      }
      if (gained.length > 0) {
        const when = (at: number) => new Date(at).toISOString().slice(0, 16).replace("T", " ");
        const list = gained.map(({ name, power, at, by }) => `${name} (${power}, ${when(at)} UTC, ${by || unnamed})`).join(", ");
        found.push({ id: "accounts.adminsGained", state: "warning", params: { count: gained.length, list } });
      }
      return found;
    });
  }

  /**
   * From now on the admin groups of an account count, if they grant `power`, which is the one that the
   * confirming admin saw. Throws `accounts.nothingToConfirm` and `accounts.otherToConfirm`.
   */
  async confirm(tx: Tx, actor: Actor, id: number, power: repo.Power): Promise<void> {
    const [row] = await repo.lockStandings(tx, [id]);
    if (row?.admin_waiting == null) throw new AppError(accountsErrors.nothingToConfirm);
    const { auth } = await this.#deps.settings.read(tx);
    if (this.#standingOf(row, auth).waiting !== power) throw new AppError(accountsErrors.otherToConfirm);
    await this.#claims.approve(tx, actor, this.#claimOf(row, power, auth));
  }

  /** The request was approved: what the account claims has to be what it claimed then. */
  async #confirmed(tx: Tx, actor: Actor, request: ApprovalRequest): Promise<void> {
    const { audit, changes, configured, settings } = this.#deps;
    const id = Number(request.subject);
    const [row] = await repo.lockStandings(tx, [id]);
    const { auth } = await settings.read(tx);
    const waiting = row ? this.#standingOf(row, auth).waiting : null;
    if (!row || waiting === null) throw new AppError(accountsErrors.nothingToConfirm);
    if (fingerprintOf(this.#claimOf(row, waiting, auth)) !== request.claim) throw new AppError(accountsErrors.otherToConfirm);
    const before = JSON.parse(row.confirmed_groups ?? "[]") as string[];
    const listed = adminNames(configured, auth).groups;
    const groups = JSON.parse(row.staff_groups) as string[];
    const confirmed = groups.filter((group) => before.includes(group) || listed.includes(group));
    await repo.confirmGroups(tx, id, JSON.stringify(confirmed));
    await this.reconcileAdmins(tx, actor, [id]);
    await audit.record(tx, actor, {
      action: "accounts.confirmAdmin",
      object: { kind: "account", id },
      before: { confirmedGroups: before },
      after: { confirmedGroups: confirmed },
    });
    await changes.emitChanged(tx, [id], ["confirmed_groups"]);
  }

  #claimOf(row: repo.StandingRow, power: repo.Power, auth: Auth): Claim {
    const confirmed = JSON.parse(row.confirmed_groups ?? "[]") as string[];
    const listed = adminNames(this.#deps.configured, auth).groups;
    const groups = JSON.parse(row.staff_groups) as string[];
    return {
      accountId: row.id,
      name: row.username ?? row.licence,
      power,
      groups: groups.filter((group) => listed.includes(group) && !confirmed.includes(group)),
    };
  }

  /** A deleted account claims nothing until it is restored. */
  async #settleClaim(tx: Tx, actor: Actor, row: repo.StandingRow, waiting: repo.Power | null, auth: Auth, quiet: boolean) {
    if (waiting !== null && row.deleted_at === null) {
      await this.#claims.ask(tx, actor, this.#claimOf(row, waiting, auth), quiet);
    } else if (row.admin_waiting !== null) await this.#claims.withdraw(tx, actor, row.id);
  }

  #standingOf(row: Row, auth: Auth) {
    const groups = JSON.parse(row.staff_groups) as string[];
    const confirmedGroups = JSON.parse(row.confirmed_groups ?? "[]") as string[];
    const claim = { licence: row.licence, groups, confirmedGroups };
    const { configAdmin, mayJobAdmin, waiting } = this.#deps.access.powersOf(claim, auth);
    const power: repo.Power | null = configAdmin ? "config" : mayJobAdmin ? "job" : null;
    return { power, waiting };
  }

  async #reconcileOne(tx: Tx, actor: Actor, row: repo.StandingRow, auth: Auth, quiet: boolean): Promise<void> {
    const { audit, clock, outbox, tokens } = this.#deps;
    const { power, waiting } = this.#standingOf(row, auth);
    const gains = rankOf(power) > rankOf(row.admin_power);
    const waits = rankOf(waiting) > rankOf(row.admin_waiting);
    // The event of a new claim notifies the config admins.
    await this.#settleClaim(tx, actor, row, waiting, auth, waits && !gains && !quiet);
    if (power === row.admin_power && waiting === row.admin_waiting) return;
    // Of admins of earlier versions it is not known when they became one.
    const gained = { at: quiet ? 0 : clock.now(), by: actorName(actor) || unnamed };
    await repo.saveAdminState(tx, row.id, { power, waiting, ...(gains ? { gained } : {}) });
    if (row.admin_power === "config" && power !== "config") await tokens.endIssuedBy(tx, [row.id]);
    if (quiet || (!gains && !waits)) return;
    await audit.record(tx, actor, {
      action: gains ? "accounts.powersGained" : "accounts.powersWaiting",
      object: { kind: "account", id: row.id },
      before: { power: row.admin_power },
      after: gains ? { power } : { power, waiting },
      info: { groups: JSON.parse(row.staff_groups) as string[] },
    });
    await outbox.emit(tx, powersGained, {
      key: `account/${row.id}`,
      version: clock.now(),
      payload: {
        accountId: row.id,
        name: row.username ?? row.licence,
        power: (gains ? power : waiting) ?? "job",
        waiting: !gains,
      },
    });
  }
}
