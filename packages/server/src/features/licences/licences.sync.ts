import type { Row } from "#core/db/table.ts";
import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { NoLists } from "#features/sync/sync.table.api.ts";
import { SyncLicence, syncLicences, syncLicencesDelete } from "./licences.contract.ts";
import { licences } from "./licences.schema.ts";

type LicenceColumns = Pick<Row<typeof licences>, "type" | "label">;

export function licencesSync(sync: SyncApi): { routes: Binding[]; kinds: SyncKind[] } {
  const table = sync.table<SyncLicence, LicenceColumns, NoLists, never>({
    kind: "licences",
    table: licences,
    key: "type",
    sync: { action: syncLicences.id, schema: SyncLicence, idOf: (licence) => licence.type },
    deletion: { action: syncLicencesDelete.id, schema: syncLicencesDelete.input.body.properties.types.items },
    removal: { action: "licences.remove", kind: "licences" },
    storedAs: 1,
    recordOf: ({ type, label }) => ({ columns: { type, label }, lists: {} }),
  });
  return {
    routes: [
      bind(syncLicences, async (call, { body }) => await table.sync(call, body)),
      bind(syncLicencesDelete, async (call, { body }) => await table.delete(call, body, body.types)),
    ],
    kinds: [table],
  };
}
