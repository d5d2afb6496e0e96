import type { Actor } from "#core/actor.ts";
import { bareLicence } from "#core/licence.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { AdminsService } from "./accounts.admins.service.ts";
import type { Account } from "./accounts.api.ts";
import type { AccountChanges } from "./accounts.changes.service.ts";
import { groupColumns } from "./accounts.policy.ts";
import * as repo from "./accounts.repo.ts";

export interface StaffGroupsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly admins: AdminsService;
  readonly changes: AccountChanges;
}

/** Staff groups as operators set and confirm them. */
export class StaffGroupsService {
  readonly #deps: StaffGroupsDeps;

  constructor(deps: StaffGroupsDeps) {
    this.#deps = deps;
  }

  async set(actor: Actor, username: string, groups: readonly string[]): Promise<Account> {
    const { admins, audit, changes, clock, db } = this.#deps;
    return await db.write("accounts.setGroups", async (tx) => {
      const account = await repo.requireByUsername(tx, username);
      await repo.update(tx, account.id, { ...groupColumns(groups), updated_at: clock.now() });
      await audit.record(tx, actor, {
        action: "accounts.setGroups",
        object: { kind: "account", id: account.id },
        before: { groups: account.groups },
        after: { groups },
      });
      await admins.reconcileAdmins(tx, actor, [account.id]);
      await changes.emitChanged(tx, [account.id], ["staff_groups", "confirmed_groups"]);
      return await repo.readWritten(tx, account.id);
    });
  }

  async confirmAdmin(actor: Actor, nameOrLicence: string, power: "config" | "job"): Promise<Account> {
    const { admins, db } = this.#deps;
    return await db.write("accounts.confirmAdmin", async (tx) => {
      const byLicence = await repo.findByLicence(tx, bareLicence(nameOrLicence));
      const { id } = byLicence ?? (await repo.requireByUsername(tx, nameOrLicence));
      await admins.confirm(tx, actor, id, power);
      return await repo.readWritten(tx, id);
    });
  }
}
