import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import { syncVehicles, syncVehiclesDelete } from "./vehicles.contract.ts";
import type { VehiclesSync } from "./vehicles.sync.service.ts";

export function vehiclesSync(service: VehiclesSync): { routes: Binding[]; kinds: SyncKind[] } {
  return {
    routes: [
      bind(syncVehicles, async (call, { body }) => await service.sync(call, body)),
      bind(syncVehiclesDelete, async (call, { body }) => await service.syncDelete(call, body)),
    ],
    kinds: [{ kind: "vehicles", count: service.count, liveIds: service.liveIds, remove: service.remove }],
  };
}
