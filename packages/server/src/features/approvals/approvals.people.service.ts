import type { Actor, Viewer } from "#core/actor.ts";
import type { ApprovalHandler, Clock, Decider, Tx } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import { accountsPlaying, claimsOf } from "#features/accounts/accounts.reads.ts";
import { characterIdsWithGrades, employmentsOf, type GradesWanted } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { Recipient } from "#features/notifications/notifications.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import * as delegations from "./approvals.delegations.repo.ts";
import { type Caller, type Lent, standingOf } from "./approvals.policy.ts";

export interface PeopleDeps {
  readonly clock: Clock;
  readonly access: AccessApi;
  readonly accounts: AccountsApi;
  readonly jobs: JobsApi;
  readonly settings: SettingsApi;
  readonly handlers: () => readonly ApprovalHandler[];
}

/** The most characters that are notified about one step. */
const mostNotified = 2000;

/** Finds what people may decide at present, and who may decide a step. */
export class ApprovalPeople {
  readonly #deps: PeopleDeps;

  constructor(deps: PeopleDeps) {
    this.#deps = deps;
  }

  /** The person with what delegations lend at present; null for the program and the command line. */
  async callerOf(tx: Tx, actor: Actor): Promise<Caller | null> {
    if (actor.kind !== "character" && actor.kind !== "account") return null;
    const lent = actor.kind === "character" ? await this.#lentTo(tx, actor) : [];
    return { own: standingOf(actor), lent };
  }

  /** The people who may decide a step, with their delegates; without the requester. */
  async recipientsOf(
    tx: Tx,
    { kind, requesterAccountId }: { readonly kind: string; readonly requesterAccountId: number | null },
    deciders: readonly Decider[],
  ): Promise<Recipient[]> {
    const ids = await this.#characterIdsOf(tx, deciders);
    const players = await accountsPlaying(tx, ids);
    const admins = [
      ...(deciders.some(({ by }) => by === "configAdmins") ? await this.#admins(tx, "configAdmin") : []),
      ...(deciders.some(({ by }) => by === "jobAdmins") ? await this.#admins(tx, "mayJobAdmin") : []),
    ];
    const own: Recipient[] = [...players, ...admins].filter(({ accountId }) => accountId !== requesterAccountId);
    const from = [...new Set(own.map(({ accountId }) => accountId))];
    const lent = (await delegations.inForceFrom(tx, from, this.#deps.clock.now()))
      .filter(({ kinds }) => (JSON.parse(kinds) as string[]).includes(kind))
      .map((row) => ({ accountId: row.to_account_id, characterId: row.to_character_id }))
      .filter(({ accountId }) => accountId !== requesterAccountId);
    const all = [...own, ...lent];
    return [...new Map(all.map((one) => [`${one.accountId} ${one.characterId ?? ""}`, one])).values()];
  }

  /** Only while those who handed them over may decide themselves, by their present job, rights and admin powers. */
  async #lentTo(tx: Tx, viewer: Viewer): Promise<Lent[]> {
    const { access, clock, handlers, settings } = this.#deps;
    const rows = await delegations.inForceFor(tx, viewer, clock.now());
    // A kind may have become one that is not handed over.
    const delegable = new Set(handlers().flatMap(({ approval }) => (approval.delegable === false ? [] : [approval.id])));
    if (rows.length === 0) return [];
    const { auth } = await settings.read(tx);
    const characters = await employmentsOf(tx, [...new Set(rows.map((row) => row.character_id))]);
    const accounts = await claimsOf(tx, [...new Set(rows.map((row) => row.account_id))]);
    const rightsOf = await access.rightsIn(tx);
    const lent: Lent[] = [];
    for (const row of rows) {
      const account = accounts.find(({ id }) => id === row.account_id);
      const character = characters.find(({ id, licence }) => id === row.character_id && licence === account?.licence);
      if (!account || !character) continue;
      const { job, grade } = character;
      const rights = rightsOf({ job, grade, jobAdmin: false });
      const { configAdmin } = access.powersOf(account, auth);
      const permissions = Object.keys(rights.all());
      const standing = {
        accountId: row.account_id,
        characterId: row.character_id,
        job,
        grade,
        permissions,
        configAdmin,
        jobAdmin: false,
      };
      const kinds = (JSON.parse(row.kinds) as string[]).filter((kind) => delegable.has(kind));
      if (kinds.length > 0) lent.push({ delegationId: row.id, kinds, standing, name: row.name });
    }
    return lent;
  }

  async #admins(tx: Tx, power: "configAdmin" | "mayJobAdmin"): Promise<Recipient[]> {
    const { access, accounts, settings } = this.#deps;
    const { auth } = await settings.read(tx);
    const admins = (await accounts.admins(tx)).filter((account) => access.powersOf(account, auth)[power]);
    return admins.map(({ id }) => ({ accountId: id }));
  }

  async #characterIdsOf(tx: Tx, deciders: readonly Decider[]): Promise<number[]> {
    const named: number[] = [];
    const wanted: GradesWanted[] = [];
    for (const decider of deciders) {
      if (decider.by === "citizen") named.push(decider.id);
      if (decider.by === "grade") wanted.push({ job: decider.job, fromGrade: decider.minGrade });
      if (decider.by === "right") {
        const { from = -Infinity, to = Infinity } = "grades" in decider ? decider.grades : {};
        const held = await this.#gradesWith(tx, decider.permission, decider.job);
        wanted.push(...held.map(({ job, grades }) => ({ job, grades: grades.filter((one) => one >= from && one <= to) })));
      }
    }
    return [...named, ...(await characterIdsWithGrades(tx, wanted, mostNotified))];
  }

  /** The grades whose roles grant a right, in one job or in all. */
  async #gradesWith(tx: Tx, permission: string, only: string | undefined): Promise<{ job: string; grades: number[] }[]> {
    const { access, jobs } = this.#deps;
    const rightsOf = await access.rightsIn(tx);
    const wanted: { job: string; grades: number[] }[] = [];
    for (const { name, grades } of await jobs.list(tx)) {
      if (only !== undefined && only !== name) continue;
      const held = grades.filter(({ grade }) => rightsOf({ job: name, grade, jobAdmin: false }).has(permission));
      wanted.push({ job: name, grades: held.map(({ grade }) => grade) });
    }
    return wanted;
  }
}
