import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getVehicle, listVehicles, vehiclesPermissions, vehiclesTopic } from "@rollcall/server/contract/vehicles";
import { useAbilities } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useLivePages } from "#core/realtime/pages.ts";
import { useLiveRows } from "#core/realtime/rows.ts";
import type { VehiclesSearch } from "./vehicles.search.ts";

export type Vehicle = OutputOf<typeof getVehicle>;

const MOST_OWNED = 100;
const NO_ROWS: readonly Vehicle[] = [];

/** The filtered list, page by page, with live changes. */
export function useVehicles(search: VehiclesSearch) {
  return useLivePages<Vehicle>(listVehicles, vehiclesTopic, search);
}

/** One vehicle with live changes; `deleted` once the game has removed it. */
export function useVehicle(id: number) {
  const mayView = useAbilities().has(vehiclesPermissions.list);
  const query = useQuery({ ...queryOf(getVehicle, { params: { id } }), enabled: mayView });
  const rows = useLiveRows<Vehicle>({
    topic: mayView ? vehiclesTopic : null,
    rows: query.data ? [query.data] : NO_ROWS,
    filtered: false,
    refetch: () => void query.refetch(),
  });
  return { query, vehicle: rows[0], deleted: query.data !== undefined && rows.length === 0 };
}

/** Vehicles of one citizen; requested only for viewers who may see owners. */
export function useOwnedVehicles(ownerId: number) {
  const abilities = useAbilities();
  const mayList = abilities.has(vehiclesPermissions.list) && abilities.sees(vehiclesPermissions.list, "owner");
  const query = useQuery({
    ...queryOf(listVehicles, { query: { ownerId, limit: MOST_OWNED } }),
    enabled: mayList,
  });
  const rows = useLiveRows<Vehicle>({
    topic: mayList ? vehiclesTopic : null,
    rows: query.data?.items ?? NO_ROWS,
    filtered: false,
    refetch: () => void query.refetch(),
  });
  return { query, mayList, rows: rows.filter(({ owner }) => owner?.id === ownerId) };
}
