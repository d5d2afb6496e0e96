import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { getVehicle, listVehicles, vehiclesPermissions, vehiclesTopic } from "@rollcall/server/contract/vehicles";
import { useAbilities } from "#core/abilities.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useLiveRows } from "#core/realtime/rows.ts";
import { filtersOf, isFiltered, type VehiclesSearch } from "./vehicles.search.ts";

export type Vehicle = OutputOf<typeof getVehicle>;

const PAGE = 50;
const MOST_OWNED = 100;
const NO_ROWS: readonly Vehicle[] = [];

/** The list by its filters, page by page, following the game. */
export function useVehicles(search: VehiclesSearch) {
  const query = useInfiniteQuery({
    ...pagesOf(listVehicles, filtersOf(search), PAGE),
    placeholderData: keepPreviousData,
    select: (data) => ({
      rows: data.pages.flatMap((page) => page.items),
      total: data.pages.at(-1)?.total ?? 0,
      totalCapped: data.pages.at(-1)?.totalCapped ?? false,
    }),
  });
  const rows = useLiveRows<Vehicle>({
    topic: vehiclesTopic,
    rows: query.data?.rows ?? NO_ROWS,
    filtered: isFiltered(search),
    refetch: () => void query.refetch(),
  });
  return { query, rows, total: query.data?.total ?? 0, totalCapped: query.data?.totalCapped ?? false };
}

/** One vehicle, following the game; `deleted` once the game has removed it. */
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

/** Vehicles of one citizen; asked for only by viewers who may see owners. */
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
