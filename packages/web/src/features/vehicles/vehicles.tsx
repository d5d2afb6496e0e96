import { getRouteApi, Outlet, useNavigate } from "@tanstack/react-router";
import { IconCar, IconCarOff } from "@tabler/icons-react";
import { vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import { useText } from "#core/i18n.ts";
import { filtersOf } from "#core/search.ts";
import { Guard } from "#ui/guard.tsx";
import { JobFilter } from "#ui/jobFilter.tsx";
import { FilterBar } from "#ui/list.tsx";
import { Records, useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { narrowVehicle, useVehicleColumns } from "./columns.tsx";
import { VehicleDetails } from "./detail.tsx";
import type { VehiclesSearch } from "./vehicles.search.ts";
import { useVehicles } from "./vehicles.queries.ts";

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

function VehicleList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as VehiclesSearch;
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
      rowVersion={(row) => row.version}
      narrow={(row) => narrowVehicle(t, row)}
      empty={{ icon: IconCar, title: t("vehicles.empty.title"), text: t("vehicles.empty.text") }}
      unmatched={{ icon: IconCarOff, title: t("vehicles.nothing.title"), text: t("vehicles.nothing.text") }}
      count={t("vehicles.count", { count: total, capped: totalCapped ? "+" : "" })}
      filters={VehicleFilters}
    />
  );
}

function VehicleFilters({
  search,
  onChange,
  onInto,
}: {
  search: VehiclesSearch;
  onChange: (next: VehiclesSearch) => void;
  onInto: () => void;
}) {
  const { t } = useText();
  const put = (field: "q" | "job", value: string | null) => {
    const { [field]: _old, ...rest } = filtersOf(search);
    onChange(value ? { ...rest, [field]: value } : rest);
  };
  return (
    <FilterBar
      label={t("vehicles.searchLabel")}
      query={search.q ?? ""}
      onQuery={(text) => put("q", text)}
      set={search.job ? 1 : 0}
      onClear={() => onChange({})}
      onInto={onInto}
    >
      <JobFilter
        label={t("vehicles.columns.job")}
        placeholder={t("vehicles.anyJob")}
        value={search.job ?? null}
        onChange={(value) => put("job", value)}
      />
    </FilterBar>
  );
}
