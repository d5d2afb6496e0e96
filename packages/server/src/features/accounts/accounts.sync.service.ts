import type { CallContext } from "#core/feature.ts";
import { bareLicence } from "#core/licence.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { BatchItem, SyncApi } from "#features/sync/sync.api.ts";
import { SyncAccount, syncAccounts } from "./accounts.contract.ts";
import * as repo from "./accounts.repo.ts";
import type { AccountsService } from "./accounts.service.ts";

function sameGroups(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((group, i) => group === b[i]);
}

/** Accounts and groups as the game server sends them, by licence. */
export function createAccountsSync(deps: { readonly clock: Clock; readonly sync: SyncApi; readonly accounts: AccountsService }) {
  async function apply(tx: Tx, items: readonly BatchItem<SyncAccount>[]): Promise<number> {
    const known = new Map(
      (
        await repo.findByLicences(
          tx,
          items.map(({ id }) => id),
        )
      ).map((account) => [account.licence, account]),
    );
    const characterOf = (id: string, item: SyncAccount) => item.lastCharacterIdentifier ?? known.get(id)?.gameCharacter ?? null;
    const changed = items.filter(({ id, item }) => {
      const account = known.get(id);
      return !account || !sameGroups(account.groups, item.groups) || account.gameCharacter !== characterOf(id, item);
    });
    if (changed.length === 0) return 0;
    const rows = changed.map(({ id, item }) => ({ licence: id, groups: item.groups, game_character: characterOf(id, item) }));
    await repo.insertMany(tx, rows, deps.clock.now());
    const existing = changed.flatMap(({ id }) => known.get(id)?.id ?? []);
    await deps.accounts.announce(tx, existing, false);
    return changed.length;
  }

  async function sync(call: CallContext, body: { source?: string; items: readonly unknown[] }) {
    return await deps.sync.applyBatch<SyncAccount>(call, {
      kind: "accounts",
      action: syncAccounts.id,
      schema: SyncAccount,
      items: body.items,
      source: body.source ?? "default",
      idOf: (account) => bareLicence(account.licence),
      apply,
    });
  }

  return { apply: sync, count: repo.count };
}
