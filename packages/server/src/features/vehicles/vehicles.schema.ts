import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { vehiclesOrders } from "./vehicles.contract.ts";

/** A vehicle of the game, as the game server last sent it. */
export const vehicles = defineTable(
  "vehicles",
  {
    id: col.id(),
    plate: col.key(32),
    /** Lower case without blanks: the order of the list. */
    plate_key: col.key(32),
    model: col.text(64).orNull(),
    type: col.text(32).orNull(),
    /** The owner's game id, kept as sent: vehicles may come before their owners. */
    owner_identifier: col.key(64).orNull(),
    job: col.key(50).orNull(),
    sync_hash: col.key(32),
    search_hash: col.key(32),
    source: col.key(64),
    version: col.int(),
    created_at: col.int(),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { vehicles_plate: ["plate"] },
    indexes: {
      vehicles_list: ["deleted_at", "plate_key", "id"],
      vehicles_owner: ["owner_identifier", "plate_key", "id"],
      vehicles_job: ["job", "plate_key", "id"],
      vehicles_models: ["deleted_at", "model", "id"],
      vehicles_updates: ["deleted_at", "updated_at", "id"],
    },
  },
);

export const vehiclesList = defineOrderedList(vehicles, vehiclesOrders, {
  live: "deleted_at",
  by: { plate: "plate_key", model: "model", updatedAt: "updated_at" },
});

export interface VehicleTables {
  vehicles: TableOf<typeof vehicles>;
}
