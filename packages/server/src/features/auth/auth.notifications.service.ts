import type { Static } from "typebox";
import type { Tx } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import type { rolesChanged } from "#features/access/access.contract.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NewNotification, NotificationsApi, Recipient } from "#features/notifications/notifications.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import { adminGained, adminWaiting, rightsChanged } from "./auth.contract.ts";
import { charactersInJob, playersOf } from "./auth.repo.ts";

export interface SecurityNotificationsDeps {
  readonly access: AccessApi;
  readonly accounts: AccountsApi;
  readonly jobs: JobsApi;
  readonly notifications: NotificationsApi;
  readonly settings: SettingsApi;
}

/** Characters looked up at once. */
const charactersPerStatement = 400;

/** Of an event of a release that did not name the grades. */
const everyGrade: Affected[] = [{ from: 0, to: null }];

type RolesChanged = Static<typeof rolesChanged.payload>;
type Affected = NonNullable<RolesChanged["affected"]>[number];

/** Grades with the same changes get the same params. */
function byChanges(affected: readonly Affected[]): readonly (readonly [NewNotification["params"], readonly Affected[]])[] {
  const groups = Map.groupBy(affected, ({ gained, lost, altered }) => JSON.stringify([gained, lost, altered]));
  return [...groups.values()].map((grades) => {
    const { gained, lost, altered } = grades[0]!;
    const named = Object.entries({ gained, lost, altered }).flatMap(([how, changes]) =>
      changes === undefined ? [] : [[how, changes.first.join(" ")] as const, [`${how}Count`, changes.count] as const],
    );
    return [Object.fromEntries(named), grades] as const;
  });
}

/** Notifies players of changed roles, and config admins of gained admin powers. */
export class SecurityNotifications {
  readonly #deps: SecurityNotificationsDeps;

  constructor(deps: SecurityNotificationsDeps) {
    this.#deps = deps;
  }

  /** Those who play a character whose permissions are others now learn which ones, except for the account that changed them. */
  async notifyRightsChanged(tx: Tx, { job, affected = everyGrade, byAccount = null }: RolesChanged): Promise<void> {
    const { jobs, notifications } = this.#deps;
    if (job === "" || affected.length === 0) return;
    const label = (await jobs.job(tx, job))?.label ?? job;
    const all: NewNotification[] = [];
    for (const [changes, grades] of byChanges(affected)) {
      const content = { params: { job: label, ...changes }, key: job };
      const players = await this.#playersIn(tx, job, grades);
      all.push(...players.filter(({ accountId }) => accountId !== byAccount).map((player) => ({ ...content, ...player })));
    }
    await notifications.notifyEach(tx, rightsChanged, all);
  }

  async #playersIn(tx: Tx, job: string, grades: readonly Affected[]): Promise<Recipient[]> {
    const players: Recipient[] = [];
    for (let after = 0; ;) {
      const characterIds = await charactersInJob(tx, job, grades, after, charactersPerStatement);
      players.push(...(await playersOf(tx, characterIds)));
      after = characterIds.at(-1) ?? 0;
      if (characterIds.length < charactersPerStatement) return players;
    }
  }

  /** Every config admin except the account that gained. */
  async notifyAdminGained(tx: Tx, gain: { accountId: number; name: string; power: "config" | "job"; waiting: boolean }) {
    const { access, accounts, notifications, settings } = this.#deps;
    const { auth } = await settings.read(tx);
    const admins = (await accounts.admins(tx)).filter(
      (account) => account.id !== gain.accountId && access.powersOf(account, auth).configAdmin,
    );
    await notifications.notify(tx, (gain.waiting ? adminWaiting : adminGained)[gain.power], {
      recipients: admins.map(({ id }) => ({ accountId: id })),
      params: { account: gain.name },
      link: `/panel/accounts/${gain.accountId}`,
      key: String(gain.accountId),
    });
  }
}
