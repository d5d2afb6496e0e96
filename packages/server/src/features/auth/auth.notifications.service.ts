import type { Tx } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import type { AccountsApi } from "#features/accounts/accounts.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi, Recipient } from "#features/notifications/notifications.api.ts";
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

/** Notifies players of changed roles, and config admins of gained admin powers. */
export class SecurityNotifications {
  readonly #deps: SecurityNotificationsDeps;

  constructor(deps: SecurityNotificationsDeps) {
    this.#deps = deps;
  }

  async notifyRightsChanged(tx: Tx, job: string, fromGrade: number): Promise<void> {
    const { jobs, notifications } = this.#deps;
    if (job === "") return;
    const label = (await jobs.job(tx, job))?.label ?? job;
    const recipients: Recipient[] = [];
    for (let after = 0; ;) {
      const characterIds = await charactersInJob(tx, job, fromGrade, after, charactersPerStatement);
      recipients.push(...(await playersOf(tx, characterIds)));
      after = characterIds.at(-1) ?? 0;
      if (characterIds.length < charactersPerStatement) break;
    }
    await notifications.notify(tx, rightsChanged, { recipients, params: { job: label }, key: job });
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
