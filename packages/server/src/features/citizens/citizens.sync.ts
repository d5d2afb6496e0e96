import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import { syncUsers, syncUsersDelete } from "./citizens.contract.ts";
import type { CitizensSync } from "./citizens.sync.service.ts";

export function citizensSync(service: CitizensSync): { routes: Binding[]; kinds: SyncKind[] } {
  return {
    routes: [
      bind(syncUsers, async (call, { body }) => await service.sync(call, body)),
      bind(syncUsersDelete, async (call, { body }) => await service.syncDelete(call, body)),
    ],
    kinds: [{ kind: "users", count: service.count, liveIds: service.liveIds, remove: service.remove }],
  };
}
