import type { Actor, Viewer } from "#core/actor.ts";
import { access } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { type ExportKind, exportKind } from "#core/ports/index.ts";
import { mostExported, type Vehicle, vehiclesExport, VehiclesFilters, vehiclesPermissions } from "./vehicles.contract.ts";
import { seesOwner } from "./vehicles.policy.ts";
import type { ListQuery, VehiclesService } from "./vehicles.service.ts";

type Filter = Omit<ListQuery, "cursor" | "limit">;

function viewerOf(actor: Actor): Viewer {
  if (actor.kind !== "character") throw new AppError(guardErrors.characterNeeded);
  return actor;
}

const ofOwner = (actor: Actor) => actor.kind === "character" && seesOwner(actor.rights);

/** The list of vehicles as a viewer sees it, as people export it. */
export function vehiclesExportKind(service: VehiclesService): ExportKind {
  return exportKind<Filter, Vehicle>({
    id: vehiclesExport,
    access: [access.permission(vehiclesPermissions.list), access.permissionOrConfigAdmin(vehiclesPermissions.export)],
    filter: VehiclesFilters,
    page: "/vehicles",
    mostRows: mostExported,
    columns: [
      { id: "id", value: ({ id }) => id },
      { id: "plate", value: ({ plate }) => plate },
      { id: "model", visibleTo: () => service.showsModel, value: ({ model }) => model ?? null },
      { id: "type", value: ({ type }) => type },
      { id: "job", value: ({ job }) => job?.label ?? null },
      { id: "ownerId", visibleTo: ofOwner, value: ({ owner }) => (owner ? `CIT-${owner.id}` : null) },
      { id: "owner", visibleTo: ofOwner, value: ({ owner }) => owner?.name ?? null },
      { id: "updatedAt", type: "instant", value: ({ updatedAt }) => updatedAt },
    ],
    scopeOf: (actor) => (ofOwner(actor) ? "owner" : ""),
    count: async (tx, { actor, filter, requestedAt }, cap) => await service.count(tx, viewerOf(actor), filter, requestedAt, cap),
    async read(tx, { actor, filter, requestedAt }, after, limit) {
      const query = { ...filter, limit, ...(after === null ? {} : { cursor: after }) };
      const { items, next } = await service.exported(tx, viewerOf(actor), query, requestedAt);
      return { rows: items, next };
    },
    onlyRow: async ({ actor, filter }, vehicle) => await service.noteLookUp(viewerOf(actor), filter, vehicle),
  });
}
