import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import type { Outbox } from "#core/ports/index.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { NoLists, RemovedRow } from "#features/sync/sync.table.api.ts";
import type { VehicleChanges } from "./vehicles.changes.service.ts";
import { SyncVehicle, syncVehicles, syncVehiclesDelete, type VehicleChange, vehiclesChanged } from "./vehicles.contract.ts";
import { columnsOf, plateKey, textsOf, type VehicleColumns, vehiclesSearchKind } from "./vehicles.policy.ts";
import { vehicles } from "./vehicles.schema.ts";

export interface VehiclesSyncDeps {
  readonly outbox: Outbox;
  readonly sync: SyncApi;
  readonly changes: VehicleChanges;
}

function removalOf({ id, key, version }: RemovedRow, at: number): VehicleChange {
  return { id, version, plate: key, type: null, job: null, updatedAt: at, deleted: true };
}

export function vehiclesSync({ outbox, sync, changes }: VehiclesSyncDeps): { routes: Binding[]; kinds: SyncKind[] } {
  const table = sync.table<SyncVehicle, VehicleColumns, NoLists, VehicleChange>({
    kind: "vehicles",
    table: vehicles,
    key: "plate",
    sync: { action: syncVehicles.id, schema: SyncVehicle, idOf: (vehicle) => vehicle.plate },
    deletion: { action: syncVehiclesDelete.id, schema: syncVehiclesDelete.input.body.properties.plates.items },
    removal: { action: "vehicles.remove", kind: "vehicles" },
    storedAs: 1,
    recordOf: (vehicle, before) => ({ columns: columnsOf(vehicle, before), lists: {} }),
    derivedOf: ({ columns }) => ({ plate_key: plateKey(columns.plate) }),
    search: { kind: vehiclesSearchKind, textsOf: ({ columns }) => textsOf(columns) },
    event: {
      changesOf: async (tx, rows, at) => await changes.of(tx, rows, at),
      removalOf,
      emit: async (tx, items, at) => await outbox.emit(tx, vehiclesChanged, { key: "vehicles", version: at, payload: { items } }),
    },
  });
  return {
    routes: [
      bind(syncVehicles, async (call, { body }) => await table.sync(call, body)),
      bind(syncVehiclesDelete, async (call, { body }) => await table.delete(call, body, body.plates)),
    ],
    kinds: [table],
  };
}
