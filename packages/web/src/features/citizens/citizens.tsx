import { useRef } from "react";
import { getRouteApi, Outlet, useMatches, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconUsers, IconUserSearch } from "@tabler/icons-react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useText } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { stringifySearch } from "#core/search.ts";
import { DataGrid, type GridHandle } from "#ui/grid.tsx";
import { Guard } from "#ui/guard.tsx";
import { ListPage } from "#ui/list.tsx";
import { Split } from "#ui/split.tsx";
import { EmptyState, ProblemNote } from "#ui/states.tsx";
import { narrowCitizen, useCitizenColumns } from "./columns.tsx";
import { CitizenFilters } from "./filters.tsx";
import { CitizenProfile } from "./profile.tsx";
import { filtersOf, isFiltered, type CitizensSearch } from "./citizens.search.ts";
import { useCitizens } from "./citizens.queries.ts";

const route = getRouteApi("/citizens");
const detailRoute = getRouteApi("/citizens/$id");

export default function CitizensPage() {
  const id = useOpened();
  return (
    <Guard permission={citizensPermissions.list}>
      <Split list={<CitizenList selected={id} />} detail={id === null ? null : <Outlet />} />
    </Guard>
  );
}

export function CitizenDetail() {
  const { id } = detailRoute.useParams() as { id: string };
  const search = route.useSearch() as CitizensSearch;
  const navigate = useNavigate();
  return <CitizenProfile key={id} id={Number(id)} onClose={() => void navigate({ to: "/citizens", search })} />;
}

function useOpened(): number | null {
  const matches = useMatches();
  const id = (matches.at(-1)?.params as { id?: string } | undefined)?.id;
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
}

function CitizenList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as CitizensSearch;
  const navigate = useNavigate();
  const grid = useRef<GridHandle>(null);
  const columns = useCitizenColumns();
  const { query, rows, total, totalCapped } = useCitizens(search);
  const here = selected === null ? "/citizens" : `/citizens/${selected}`;

  const change = (next: CitizensSearch) => void navigate({ to: here, search: next, replace: true });
  const open = (id: number) => void navigate({ to: `/citizens/${id}`, search, replace: selected !== null });
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
    <EmptyState icon={IconUserSearch} title={t("citizens.nothing.title")} text={t("citizens.nothing.text")} action={clear} />
  ) : (
    <EmptyState icon={IconUsers} title={t("citizens.empty.title")} text={t("citizens.empty.text")} />
  );

  return (
    <ListPage
      title={t("citizens.title")}
      filters={<CitizenFilters search={search} onChange={change} onInto={() => grid.current?.move(0)} />}
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {!(query.isError && rows.length === 0) && (
        <DataGrid
          key={JSON.stringify(filtersOf(search))}
          label={t("citizens.title")}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          rowVersion={(row) => row.version}
          href={(row) => `/citizens/${row.id}${stringifySearch({ ...search })}`}
          onOpen={(row) => open(row.id)}
          narrow={narrowCitizen}
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
              <span>{query.isPending ? "" : t("citizens.count", { count: total, capped: totalCapped ? "+" : "" })}</span>
              <span>{query.isFetchingNextPage ? t("web.loadingMore") : ""}</span>
            </>
          }
          handle={grid}
        />
      )}
    </ListPage>
  );
}
