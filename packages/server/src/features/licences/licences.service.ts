import type { CallContext } from "#core/feature.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { BatchItem, SyncApi } from "#features/sync/sync.api.ts";
import { SyncLicence, syncLicences } from "./licences.contract.ts";
import * as repo from "./licences.repo.ts";

export function createLicencesService(deps: { readonly clock: Clock; readonly sync: SyncApi }) {
  async function apply(tx: Tx, items: readonly BatchItem<SyncLicence>[]): Promise<number> {
    const known = await repo.readLabels(
      tx,
      items.map(({ id }) => id),
    );
    const changed = items.filter(({ item }) => known.get(item.type) !== item.label).map(({ item }) => item);
    if (changed.length > 0) await repo.putLicences(tx, changed, deps.clock.now());
    return changed.length;
  }

  return {
    sync: async (call: CallContext, body: { source?: string; items: readonly unknown[] }) =>
      await deps.sync.applyBatch<SyncLicence>(call, {
        kind: "licences",
        action: syncLicences.id,
        schema: SyncLicence,
        items: body.items,
        source: body.source ?? "default",
        idOf: (licence) => licence.type,
        apply,
      }),
    api: { labels: repo.readLabels },
    count: repo.countLicences,
  };
}

export type LicencesService = ReturnType<typeof createLicencesService>;
