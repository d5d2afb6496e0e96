import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import { syncLicences } from "./licences.contract.ts";
import type { LicencesService } from "./licences.service.ts";

export function licencesSync(service: LicencesService): { routes: Binding[]; kinds: SyncKind[] } {
  return {
    routes: [bind(syncLicences, async (call, { body }) => await service.sync(call, body))],
    kinds: [{ kind: "licences", count: service.count }],
  };
}
