import type { Actor } from "#core/actor.ts";
import { bareLicence } from "#core/licence.ts";
import type { Database } from "#core/ports/index.ts";
import type { Account } from "./accounts.api.ts";
import type { AccountChanger, PanelService } from "./accounts.panel.service.ts";
import * as repo from "./accounts.repo.ts";

/** What the panel changes in accounts, for operators, who name them by user name or licence. */
export class OperatorsService {
  readonly #db: Database;
  readonly #panel: PanelService;

  constructor({ db, panel }: { readonly db: Database; readonly panel: PanelService }) {
    this.#db = db;
    this.#panel = panel;
  }

  async setEnabled(actor: Actor, who: string, input: { enabled: boolean; reason?: string }): Promise<Account> {
    return await this.#change(actor, who, async (by, id) => await this.#panel.setEnabled(by, id, input));
  }

  async setLicence(actor: Actor, who: string, input: { licence: string; reason: string }): Promise<Account> {
    return await this.#change(actor, who, async (by, id) => await this.#panel.setLicence(by, id, input));
  }

  /** Returns the account as it was. */
  async remove(actor: Actor, who: string, reason: string): Promise<Account> {
    const account = await this.#find(who);
    await this.#panel.remove(changerOf(actor), account.id, reason);
    return account;
  }

  async #change(actor: Actor, who: string, change: (by: AccountChanger, id: number) => Promise<unknown>): Promise<Account> {
    const { id } = await this.#find(who);
    await change(changerOf(actor), id);
    return await this.#db.read("accounts.changed", async (tx) => await repo.readWritten(tx, id));
  }

  async #find(who: string): Promise<Account> {
    return await this.#db.read("accounts.named", async (tx) => {
      const byLicence = await repo.findByLicence(tx, bareLicence(who));
      return byLicence ?? (await repo.requireByUsername(tx, who));
    });
  }
}

/** An operator has no account that a change could be refused for. */
function changerOf(actor: Actor): AccountChanger {
  const username = actor.kind === "cli" ? actor.user : actor.kind;
  return { actor, account: () => ({ accountId: 0, username }) };
}
