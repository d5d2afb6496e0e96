import { Type, type Static } from "typebox";
import {
  access,
  defineErrors,
  defineEvent,
  defineOperation,
  defineOrders,
  definePermission,
  defineSavedViews,
  defineSyncKind,
  defineTopic,
  Instant,
  Nullable,
  PageOf,
  pageQuery,
  Version,
  extend,
} from "#core/contract/index.ts";
import { batchExample, batchOf, batchResult, batchSource, deletedIds, gameKey } from "#features/sync/sync.contract.ts";

export const vehicleFields = ["owner"] as const;

export const vehiclesPermissions = {
  list: definePermission("vehicles.list", { fields: { type: "strings", values: vehicleFields } }),
  /** With `vehicles.list`, whose fields decide about the columns. */
  export: definePermission("vehicles.export"),
};

export const vehiclesErrors = defineErrors("vehicles", {
  notFound: { status: 404 },
  fieldHidden: { status: 403, params: ["permission", "field", "job"] },
});

/** Filters of the list. */
export const vehiclesViews = defineSavedViews("vehicles.views");

/** Orders of the list. */
export const vehiclesOrders = defineOrders(["plate", "model", "updatedAt"], { default: "plate" });

export const Vehicle = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  version: Version,
  plate: Type.String(),
  /** Absent when `database.custom.columns.vehicle.model` switches it off. */
  model: Type.Optional(Nullable(Type.String())),
  type: Nullable(Type.String()),
  /** Set on company vehicles. */
  job: Nullable(Type.Object({ name: Type.String(), label: Type.String() })),
  /** Absent when the viewer may not see it; null when it has no owner or an unknown one. */
  owner: Type.Optional(Nullable(Type.Object({ id: Type.Integer(), name: Type.String() }))),
  updatedAt: Instant,
});
export type Vehicle = Static<typeof Vehicle>;

const exampleVehicle = {
  id: 7,
  version: 1,
  plate: "AB 123",
  model: "sultan",
  type: "car",
  job: null,
  owner: { id: 12, name: "Mara Lind" },
  updatedAt: 1_790_000_000_000,
};

/** What the list and its export can be narrowed by, and their order. */
const filters = {
  q: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "Part of a plate of at least three letters or digits, or the beginning of a plate, a model or an owner's name",
    }),
  ),
  ownerId: Type.Optional(Type.Integer({ minimum: 1 })),
  job: Type.Optional(Type.String({ maxLength: 50 })),
  ...vehiclesOrders.query,
};

export const VehiclesFilters = Type.Object(filters);

/** The kind of exports (`exports.request`) with the list as CSV. */
export const vehiclesExport = "vehicles.list";

/** Most vehicles of one export. */
export const mostExported = 250_000;

export const listVehicles = defineOperation({
  id: "vehicles.list",
  method: "GET",
  path: "/api/vehicles",
  summary: "List and search vehicles",
  access: access.permission(vehiclesPermissions.list),
  rate: "search",
  input: {
    query: Type.Object({ ...pageQuery, ...filters }),
  },
  output: PageOf(Vehicle),
  errors: [vehiclesErrors.fieldHidden],
  example: {
    query: { q: "AB" },
    output: { items: [exampleVehicle], next: null, total: 1, totalCapped: false },
  },
});

const { owner: _owner, ...exampleOwn } = exampleVehicle;

/** Whatever the rights of the character are; without the owner, who is the caller. */
export const listOwnVehicles = defineOperation({
  id: "vehicles.own",
  method: "GET",
  path: "/api/vehicles/own",
  summary: "Vehicles of your character, by plate",
  access: access.character(),
  rate: "read",
  input: { query: Type.Object(pageQuery) },
  output: PageOf(Vehicle),
  example: { output: { items: [exampleOwn], next: null, total: 1, totalCapped: false } },
});

export const getVehicle = defineOperation({
  id: "vehicles.get",
  method: "GET",
  path: "/api/vehicles/:id",
  summary: "Open a vehicle",
  access: access.permission(vehiclesPermissions.list),
  rate: "read",
  input: { params: Type.Object({ id: Type.Integer({ minimum: 1 }) }) },
  output: Vehicle,
  errors: [vehiclesErrors.notFound],
  example: { params: { id: 7 }, output: exampleVehicle },
});

/** A vehicle as the game server sends it. Empty texts erase like null. */
export const SyncVehicle = Type.Object({
  plate: gameKey(32),
  model: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
  type: Type.Optional(Nullable(Type.String({ maxLength: 32 }))),
  ownerIdentifier: Type.Optional(Nullable(gameKey(64))),
  job: Type.Optional(Nullable(gameKey(50))),
});
export type SyncVehicle = Static<typeof SyncVehicle>;

export const syncVehicles = defineOperation({
  id: "vehicles.sync",
  method: "POST",
  path: "/api/sync/v1/vehicles",
  summary: "Send vehicles",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: batchOf(SyncVehicle) },
  output: batchResult,
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: batchExample({
    plate: "AB 123",
    model: "sultan",
    type: "car",
    ownerIdentifier: "char1:0a1b2c3d",
  }),
});

export const syncVehiclesDelete = defineOperation({
  id: "vehicles.syncDelete",
  method: "POST",
  path: "/api/sync/v1/vehicles/delete",
  summary: "Report deleted vehicles",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: {
    body: Type.Object({ source: batchSource, plates: deletedIds(gameKey(32)) }),
  },
  output: batchResult,
  example: { body: { plates: ["AB 123"] }, output: { accepted: 1, unchanged: 0, rejected: [] } },
});

export const VehicleChange = extend(Vehicle, { deleted: Type.Boolean() });
export type VehicleChange = Static<typeof VehicleChange>;

export const vehiclesChanged = defineEvent({
  id: "vehicles.changed",
  version: 1,
  payload: Type.Object({ items: Type.Array(VehicleChange) }),
});

/** Every change of a vehicle. */
export const vehiclesTopic = defineTopic({
  name: "vehicles",
  kind: "event",
  access: access.permission(vehiclesPermissions.list),
  message: Type.Object({ items: Type.Array(VehicleChange) }),
  carries: { answers: [listVehicles, getVehicle] },
  example: { items: [{ ...exampleVehicle, version: 2, deleted: false }] },
});

/**
 * A vehicle of the own character was added or changed. One that it has lost is known by its new owner alone, and
 * leaves the list when that is read again.
 */
export const ownVehiclesTopic = defineTopic({
  name: "ownVehicles/:character",
  kind: "event",
  access: access.character(),
  message: Type.Object({ character: Type.Integer({ minimum: 1 }) }),
  invalidates: { answers: [listOwnVehicles] },
  example: { character: 12 },
});

export const vehiclesContract = {
  operations: [listVehicles, listOwnVehicles, getVehicle, syncVehicles, syncVehiclesDelete],
  events: [vehiclesChanged],
  topics: [vehiclesTopic, ownVehiclesTopic],
  actions: ["vehicles.view", "vehicles.remove"],
  sync: [defineSyncKind({ kind: "vehicles", manifest: true, key: "plate", operations: [syncVehicles, syncVehiclesDelete] })],
  objects: ["vehicle", "vehicles"],
  errors: vehiclesErrors,
  permissions: Object.values(vehiclesPermissions),
  preferences: [vehiclesViews],
};
