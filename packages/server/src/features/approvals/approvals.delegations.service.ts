import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { ApprovalHandler, Clock, Database, Tx } from "#core/ports/index.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { lockAccounts } from "#features/accounts/accounts.reads.ts";
import { citizensPermissions } from "#features/citizens/citizens.contract.ts";
import { employmentsOf } from "#features/citizens/citizens.reads.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { approvalsErrors, type Delegation, delegationGiven, mostDelegations } from "./approvals.contract.ts";
import * as repo from "./approvals.delegations.repo.ts";
import type { ApprovalEvents } from "./approvals.live.service.ts";
import { checkSpan } from "./approvals.policy.ts";

export interface DelegationsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly accounts: AccountsApi;
  readonly audit: AuditApi;
  readonly notifications: NotificationsApi;
  readonly live: ApprovalEvents;
  readonly handlers: () => readonly ApprovalHandler[];
}

interface Wanted {
  readonly citizenId: number;
  readonly kinds: readonly string[];
  readonly from: number;
  readonly until: number;
}

/** The most that the list of everybody shows. */
const mostListed = 500;

const objectOf = (id: number) => ({ kind: "approvals.delegation", id }) as const;

function delegationOf(row: repo.DelegationRow, accountId: number): Delegation {
  return {
    id: row.id,
    by: row.name,
    to: row.to_name,
    given: row.account_id === accountId,
    kinds: JSON.parse(row.kinds) as string[],
    from: row.from_at,
    until: row.until_at,
    createdAt: row.created_at,
  };
}

/** Hands decisions to other characters for a time. */
export class DelegationsService {
  readonly #deps: DelegationsDeps;

  constructor(deps: DelegationsDeps) {
    this.#deps = deps;
  }

  async list(call: CallContext): Promise<{ items: Delegation[]; kinds: string[] }> {
    const { clock, db, handlers } = this.#deps;
    const { accountId } = call.viewer();
    const rows = await db.read("approvals.delegations", async (tx) => await repo.ofAccount(tx, accountId, clock.now()));
    return {
      items: rows.map((row) => delegationOf(row, accountId)),
      kinds: handlers().flatMap(({ approval }) => (approval.delegable === false ? [] : [approval.id])),
    };
  }

  async create(call: CallContext, wanted: Wanted): Promise<Delegation> {
    const { audit, clock, db, notifications } = this.#deps;
    const viewer = call.viewer();
    this.#check(viewer, wanted);
    return await db.write("approvals.delegate", async (tx) => {
      const to = await this.#delegate(tx, viewer, wanted.citizenId);
      await this.#checkRoom(tx, { from: viewer.accountId, to: to.accountId, kinds: wanted.kinds });
      const values = {
        account_id: viewer.accountId,
        character_id: viewer.characterId,
        name: viewer.characterName,
        to_account_id: to.accountId,
        to_character_id: wanted.citizenId,
        to_name: to.name,
        kinds: JSON.stringify(wanted.kinds),
        from_at: wanted.from,
        until_at: wanted.until,
        revoked_at: null,
        created_at: clock.now(),
      };
      const id = await repo.insert(tx, values);
      await this.#deps.live.delegated(tx, { id, accountIds: [viewer.accountId, to.accountId] });
      const { kinds, from, until } = wanted;
      await audit.record(tx, call.actor, {
        action: "approvals.delegate",
        object: objectOf(id),
        after: { to: to.name, citizenId: wanted.citizenId, kinds, from, until },
      });
      await notifications.notify(tx, delegationGiven, {
        recipients: [{ accountId: to.accountId, characterId: wanted.citizenId }],
        params: { by: viewer.characterName },
        link: "/approvals",
        key: `delegation/${viewer.characterId}`,
      });
      return delegationOf({ id, ...values }, viewer.accountId);
    });
  }

  /** Of everybody, for config admins. */
  async listAll(): Promise<{ items: Omit<Delegation, "given">[] }> {
    const { clock, db } = this.#deps;
    const rows = await db.read("approvals.allDelegations", async (tx) => await repo.ofAll(tx, clock.now(), mostListed));
    return {
      items: rows.map((row) => {
        const { given: _given, ...item } = delegationOf(row, 0);
        return item;
      }),
    };
  }

  /** By who gave it, and by who got it. */
  async revoke(call: CallContext, id: number): Promise<void> {
    const { accountId } = call.viewer();
    await this.#revoke(call, id, (row) => row.account_id === accountId || row.to_account_id === accountId);
  }

  /** By a config admin. */
  async endAny(call: CallContext, id: number): Promise<void> {
    await this.#revoke(call, id, () => true);
  }

  /** These accounts were disabled or deleted then: what they had given ends, and does not come back with them. */
  async endGivenBy(tx: Tx, accountIds: readonly number[], at: number): Promise<void> {
    const actor = { kind: "system", name: "approvals.endDelegations" } as const;
    const rows = await repo.lockGivenBy(tx, accountIds, this.#deps.clock.now());
    for (const row of rows) if (row.created_at <= at) await this.#end(tx, actor, row);
  }

  async #revoke(call: CallContext, id: number, may: (row: repo.DelegationRow) => boolean): Promise<void> {
    const { clock, db } = this.#deps;
    await db.write("approvals.revokeDelegation", async (tx) => {
      const row = await repo.lock(tx, id);
      if (!row || !may(row) || row.revoked_at !== null || row.until_at <= clock.now())
        throw new AppError(approvalsErrors.delegationNotFound);
      await this.#end(tx, call.actor, row);
    });
  }

  async #end(tx: Tx, actor: Actor, row: repo.DelegationRow): Promise<void> {
    const { audit, clock, live } = this.#deps;
    await repo.revoke(tx, row.id, clock.now());
    await live.delegated(tx, { id: row.id, accountIds: [row.account_id, row.to_account_id] });
    const before = { by: row.name, to: row.to_name, kinds: JSON.parse(row.kinds) as string[] };
    await audit.record(tx, actor, { action: "approvals.revokeDelegation", object: objectOf(row.id), before });
  }

  /** Who may not list citizens learns no name by their id. */
  #check(viewer: Viewer, wanted: Wanted): void {
    const { clock, handlers } = this.#deps;
    if (!viewer.rights.has(citizensPermissions.list.id))
      throw new AppError(approvalsErrors.citizensHidden, {
        params: { permission: citizensPermissions.list.id, job: viewer.job },
      });
    for (const kind of wanted.kinds)
      if (!handlers().some(({ approval }) => approval.id === kind && approval.delegable !== false))
        throw new AppError(approvalsErrors.kindUnknown, { params: { kind } });
    checkSpan(wanted, clock.now());
  }

  /** The account that plays the citizen. */
  async #delegate(tx: Tx, viewer: Viewer, citizenId: number): Promise<{ accountId: number; name: string }> {
    const { accounts } = this.#deps;
    const [citizen] = await employmentsOf(tx, [citizenId]);
    const account = citizen && citizen.licence !== "" ? await accounts.byLicence(tx, citizen.licence) : null;
    if (!citizen || account?.enabled !== true) throw new AppError(approvalsErrors.delegateUnknown);
    if (account.id === viewer.accountId) throw new AppError(approvalsErrors.delegateSelf);
    return { accountId: account.id, name: citizen.name };
  }

  /** One of each kind between two people, so that nobody uses up alone what the other may get. */
  async #checkRoom(tx: Tx, { from, to, kinds }: { from: number; to: number; kinds: readonly string[] }): Promise<void> {
    const now = this.#deps.clock.now();
    await lockAccounts(tx, [from, to]);
    const known = (await repo.between(tx, from, to, now)).flatMap((row) => JSON.parse(row.kinds) as string[]);
    if (kinds.some((kind) => known.includes(kind))) throw new AppError(approvalsErrors.delegationExists);
    const most = Math.max(await repo.countOf(tx, "account_id", from, now), await repo.countOf(tx, "to_account_id", to, now));
    if (most >= mostDelegations) throw new AppError(approvalsErrors.tooManyDelegations, { params: { most: mostDelegations } });
  }
}
