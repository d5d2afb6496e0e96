import { getRouteApi, Outlet, useNavigate } from "@tanstack/react-router";
import { IconCar, IconCarOff } from "@tabler/icons-react";
import { vehiclesExport, vehiclesOrders, vehiclesPermissions, vehiclesViews } from "@rollcall/server/contract/vehicles";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { filtersOf } from "#core/search.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { ListViews } from "#features/preferences/preferences.api.ts";
import { copyRows } from "#ui/copyRows.ts";
import { Guard } from "#ui/guard.tsx";
import { Records, useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { narrowVehicle, useVehicleColumns } from "./columns.tsx";
import { VehicleDetails } from "./detail.tsx";
import { vehiclesSearch, type VehiclesSearch } from "./vehicles.search.ts";
import { type Vehicle, useVehicles } from "./vehicles.queries.ts";

const route = getRouteApi("/vehicles");
const detailRoute = getRouteApi("/vehicles/$id");

export default function VehiclesPage() {
  const id = useOpened();
  return (
    <Guard permission={vehiclesPermissions.list}>
      <Split list={<VehicleList selected={id} />} detail={id === null ? null : <Outlet />} />
    </Guard>
  );
}

export function VehicleDetail() {
  const { id } = detailRoute.useParams() as { id: string };
  const search = route.useSearch() as VehiclesSearch;
  const navigate = useNavigate();
  return <VehicleDetails key={id} id={Number(id)} onClose={() => void navigate({ to: "/vehicles", search })} />;
}

const lineOf = ({ plate, model, owner }: Vehicle) => [plate, model, owner?.name].filter(Boolean).join(", ");

function VehicleList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as VehiclesSearch;
  const mayExport = useAbilities().has(vehiclesPermissions.export) && !tablet;
  const { query, rows, total, totalCapped, onShown } = useVehicles(search);
  return (
    <Records
      title={t("vehicles.title")}
      path="/vehicles"
      search={search}
      selected={selected}
      query={query}
      rows={rows}
      onShown={onShown}
      columns={useVehicleColumns()}
      orders={vehiclesOrders}
      ranked={search.q !== undefined}
      rowVersion={(row) => row.version}
      narrow={(row) => narrowVehicle(t, row)}
      empty={{ icon: IconCar, title: t("vehicles.empty.title"), text: t("vehicles.empty.text") }}
      unmatched={{ icon: IconCarOff, title: t("vehicles.nothing.title"), text: t("vehicles.nothing.text") }}
      count={t("vehicles.count", { count: total, capped: totalCapped ? "+" : "" })}
      {...(totalCapped ? {} : { total })}
      searchLabel={t("vehicles.searchLabel")}
      filters={[{ kind: "job", id: "job", label: t("vehicles.columns.job"), placeholder: t("vehicles.anyJob") }]}
      bulk={{ actions: [copyRows(t, lineOf)], nameOf: lineOf }}
      beside={
        <>
          <ListViews definition={vehiclesViews} path="/vehicles" search={search} selected={selected} addressOf={vehiclesSearch} />
          {mayExport && <ExportButton kind={vehiclesExport} filter={filtersOf(search)} />}
        </>
      }
    />
  );
}
