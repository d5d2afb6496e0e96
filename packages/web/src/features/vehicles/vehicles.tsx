import { lazy, Suspense, useRef } from "react";
import { getRouteApi, Outlet, useMatches, useNavigate } from "@tanstack/react-router";
import { Button, TextInput } from "@mantine/core";
import { IconCar, IconCarOff } from "@tabler/icons-react";
import { vehiclesPermissions } from "@rollcall/server/contract/vehicles";
import { useText } from "#core/i18n.ts";
import { useJobs } from "#core/jobs.tsx";
import { useShortcuts } from "#core/keyboard.ts";
import { stringifySearch } from "#core/search.ts";
import { DataGrid, type GridHandle } from "#ui/grid.tsx";
import { Guard } from "#ui/guard.tsx";
import { FilterBar, ListPage } from "#ui/list.tsx";
import { Split } from "#ui/split.tsx";
import { EmptyState, ProblemNote } from "#ui/states.tsx";
import { narrowVehicle, useVehicleColumns } from "./columns.tsx";
import { VehicleDetails } from "./detail.tsx";
import { filtersOf, isFiltered, type VehiclesSearch } from "./vehicles.search.ts";
import { useVehicles } from "./vehicles.queries.ts";

const JobSelect = lazy(() => import("#ui/jobSelect.tsx"));

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

function useOpened(): number | null {
  const matches = useMatches();
  const id = (matches.at(-1)?.params as { id?: string } | undefined)?.id;
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
}

function VehicleList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as VehiclesSearch;
  const navigate = useNavigate();
  const grid = useRef<GridHandle>(null);
  const columns = useVehicleColumns();
  const { query, rows, total, totalCapped } = useVehicles(search);
  const here = selected === null ? "/vehicles" : `/vehicles/${selected}`;

  const change = (next: VehiclesSearch) => void navigate({ to: here, search: next, replace: true });
  const open = (id: number) => void navigate({ to: `/vehicles/${id}`, search, replace: selected !== null });
  useShortcuts([
    { keys: "j", label: "web.keys.next", group: "page", run: () => grid.current?.move(1) },
    { keys: "k", label: "web.keys.previous", group: "page", run: () => grid.current?.move(-1) },
    { keys: "Enter", label: "web.keys.open", group: "page" },
  ]);

  const clear = (
    <Button variant="default" onClick={() => change({})}>
      {t("web.filter.clear")}
    </Button>
  );
  const empty = isFiltered(search) ? (
    <EmptyState icon={IconCarOff} title={t("vehicles.nothing.title")} text={t("vehicles.nothing.text")} action={clear} />
  ) : (
    <EmptyState icon={IconCar} title={t("vehicles.empty.title")} text={t("vehicles.empty.text")} />
  );

  return (
    <ListPage
      title={t("vehicles.title")}
      filters={<VehicleFilters search={search} onChange={change} onInto={() => grid.current?.move(0)} />}
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {!(query.isError && rows.length === 0) && (
        <DataGrid
          key={JSON.stringify(filtersOf(search))}
          label={t("vehicles.title")}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          rowVersion={(row) => row.version}
          href={(row) => `/vehicles/${row.id}${stringifySearch({ ...search })}`}
          onOpen={(row) => open(row.id)}
          narrow={(row) => narrowVehicle(t, row)}
          selected={selected}
          loading={query.isPending}
          empty={empty}
          more={query.hasNextPage}
          onMore={() => {
            if (!query.isFetchingNextPage) void query.fetchNextPage();
          }}
          startAt={Number(search.top ?? 0)}
          onTop={(top) => change({ ...filtersOf(search), ...(top > 0 ? { top: String(top) } : {}) })}
          footer={
            <>
              <span>{query.isPending ? "" : t("vehicles.count", { count: total, capped: totalCapped ? "+" : "" })}</span>
              <span>{query.isFetchingNextPage ? t("web.loadingMore") : ""}</span>
            </>
          }
          handle={grid}
        />
      )}
    </ListPage>
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
  const jobs = useJobs();
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
      <Suspense fallback={<TextInput label={t("vehicles.columns.job")} disabled />}>
        <JobSelect
          label={t("vehicles.columns.job")}
          placeholder={t("vehicles.anyJob")}
          jobs={jobs.data?.jobs ?? []}
          loading={jobs.isPending}
          value={search.job ?? null}
          onChange={(value) => put("job", value)}
        />
      </Suspense>
    </FilterBar>
  );
}
