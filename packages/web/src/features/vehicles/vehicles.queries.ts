import type { OutputOf } from "@rollcall/server/contract/core";
import {
  getVehicle,
  listOwnVehicles,
  listVehicles,
  ownVehiclesTopic,
  vehiclesOrders,
  vehiclesPermissions,
  vehiclesTopic,
} from "@rollcall/server/contract/vehicles";
import { abilitiesOf, useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useFollow, useListedRow, useLiveAnswer, useLiveList } from "#core/realtime/lists.ts";
import { filtersOf } from "#core/search.ts";
import { byNumber, byText, comparedBy, type Comparisons, mayMatch } from "#core/order.ts";
import type { VehiclesSearch } from "./vehicles.search.ts";

export type Vehicle = OutputOf<typeof getVehicle>;

const MOST_OWNED = 100;

const byPlate = byText<Vehicle>(({ plate }) => plate.replaceAll(/[\s-]/g, ""));

/** What the server orders by, where the rows hold it in full: the value of a missing one is the server's. */
const compares: Comparisons<Vehicle> = { plate: byPlate, updatedAt: byNumber(({ updatedAt }) => updatedAt) };

/** The filtered list, page by page, with live changes. */
export function useVehicles(search: VehiclesSearch) {
  const { q, job, order } = search;
  return useLiveList<Vehicle>({
    operation: listVehicles,
    topic: vehiclesTopic,
    filters: filtersOf(search),
    ...comparedBy(compares, q === undefined ? (order ?? vehiclesOrders.default) : undefined),
    ...(q === undefined && job === undefined
      ? {}
      : {
          matches(row) {
            if (job !== undefined && row.job?.name !== job) return false;
            return q === undefined ? true : null;
          },
          likely: (row) => q === undefined || mayMatch(q, [row.plate, row.model, row.owner?.name]),
        }),
  });
}

/** One vehicle with live changes; `deleted` once the game has removed it. Until it is read, `listed` is its row of a list. */
export function useVehicle(id: number) {
  const enabled = useAbilities().has(vehiclesPermissions.list);
  const { query, data: vehicle, deleted } = useLiveAnswer(getVehicle, { params: { id } }, { topic: vehiclesTopic, enabled });
  return { query, vehicle, deleted, listed: useListedRow(listVehicles, id, vehicle !== undefined) };
}

/** Vehicles of one citizen; requested only for viewers who may see owners, and by the owner. */
export function useOwnedVehicles(ownerId: number) {
  const { character, rights } = useActiveIdentity();
  const abilities = abilitiesOf(rights);
  const mayList = abilities.has(vehiclesPermissions.list) && abilities.sees(vehiclesPermissions.list, "owner");
  const isOwn = ownerId === character.id && !mayList;
  const listed = useLiveList<Vehicle>({
    operation: listVehicles,
    topic: vehiclesTopic,
    filters: { ownerId },
    limit: MOST_OWNED,
    enabled: mayList,
    compare: byPlate,
    matches: ({ owner }) => owner?.id === ownerId,
  });
  const own = useLiveList<Vehicle>({
    operation: listOwnVehicles,
    topic: null,
    filters: {},
    limit: MOST_OWNED,
    enabled: isOwn,
  });
  useFollow(isOwn ? ownVehiclesTopic : null, character.id);
  const { query, rows } = isOwn ? own : listed;
  return { query, mayList: mayList || isOwn, rows };
}
