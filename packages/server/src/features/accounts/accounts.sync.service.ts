import type { Actor } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { BatchItem } from "#features/sync/sync.batch.api.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { AdminsService } from "./accounts.admins.service.ts";
import type { AccountChanges, ChangedColumn } from "./accounts.changes.service.ts";
import { SyncAccount, syncAccounts } from "./accounts.contract.ts";
import { confirmedOf } from "./accounts.policy.ts";
import * as repo from "./accounts.repo.ts";

export interface AccountsSyncDeps {
  readonly clock: Clock;
  readonly sync: SyncApi;
  readonly settings: SettingsApi;
  readonly admins: AdminsService;
  readonly changes: AccountChanges;
}

const groupParts: readonly ChangedColumn[] = ["staff_groups", "confirmed_groups"];
const characterParts: readonly ChangedColumn[] = ["game_character"];

function sameGroups(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((group, i) => group === b[i]);
}

/** Receives accounts and groups as the game server sends them, by licence. */
export class AccountsSyncService {
  readonly #deps: AccountsSyncDeps;

  constructor(deps: AccountsSyncDeps) {
    this.#deps = deps;
  }

  async sync(call: CallContext, body: { source?: string; items: readonly unknown[] }) {
    return await this.#deps.sync.applyBatch<SyncAccount>(call, {
      kind: "accounts",
      action: syncAccounts.id,
      schema: SyncAccount,
      items: body.items,
      source: body.source ?? "default",
      idOf: (account) => bareLicence(account.licence),
      apply: async (tx, items) => await this.#apply(tx, call.actor, items),
    });
  }

  async count(tx: Tx): Promise<number> {
    return await repo.count(tx);
  }

  async #apply(tx: Tx, actor: Actor, items: readonly BatchItem<SyncAccount>[]): Promise<number> {
    const { admins, changes, clock, settings } = this.#deps;
    const licences = items.map(({ id }) => id);
    const known = new Map((await repo.findByLicences(tx, licences)).map((account) => [account.licence, account]));
    const sent = items.map(({ id, item: { groups, lastCharacterIdentifier: character } }) => {
      const before = known.get(id);
      return { licence: id, before, groups, character: character === undefined ? (before?.gameCharacter ?? null) : character };
    });
    const changed = sent.filter(
      ({ before, groups, character }) => !before || !sameGroups(before.groups, groups) || before.gameCharacter !== character,
    );
    if (changed.length === 0) return 0;
    const waits = (await settings.read(tx)).auth.confirmGameAdmins;
    const rows = changed.map(({ licence, before, groups, character }) => ({
      licence,
      groups,
      confirmedGroups: confirmedOf(groups, before?.confirmedGroups ?? [], waits),
      game_character: character,
    }));
    await repo.insertMany(tx, rows, clock.now());
    const regrouped = changed.filter(({ before, groups }) => !before || !sameGroups(before.groups, groups));
    const written = await repo.findByLicences(
      tx,
      regrouped.map(({ licence }) => licence),
    );
    await admins.reconcileAdmins(
      tx,
      actor,
      written.map(({ id }) => id),
    );
    const existing = changed.flatMap(({ before }) => before?.id ?? []);
    const groupsChanged = changed.some(({ before, groups }) => before && !sameGroups(before.groups, groups));
    const otherCharacter = changed.some(({ before, character }) => before && before.gameCharacter !== character);
    const parts = [...(groupsChanged ? groupParts : []), ...(otherCharacter ? characterParts : [])];
    await changes.emitChanged(tx, existing, parts);
    return changed.length;
  }
}
