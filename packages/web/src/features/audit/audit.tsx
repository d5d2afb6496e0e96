import { useRef } from "react";
import { getRouteApi, Outlet, useMatches, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconHistory, IconHistoryOff } from "@tabler/icons-react";
import { auditPermissions } from "@rollcall/server/contract/audit";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { useShortcuts } from "#core/keyboard.ts";
import { stringifySearch } from "#core/search.ts";
import { DataGrid, type GridHandle } from "#ui/grid.tsx";
import { GuardOrConfigAdmin } from "#ui/guard.tsx";
import { ListPage } from "#ui/list.tsx";
import { Split } from "#ui/split.tsx";
import { EmptyState, ProblemNote } from "#ui/states.tsx";
import { useEntries } from "./audit.queries.ts";
import { type AuditSearch, filtersOf } from "./audit.search.ts";
import { narrowEntry, useAuditColumns } from "./columns.tsx";
import { EntryDetails } from "./detail.tsx";
import { AuditFiltersBar } from "./filters.tsx";

const route = getRouteApi("/panel/audit");
const detailRoute = getRouteApi("/panel/audit/$id");

export default function AuditPage() {
  const id = useOpened();
  return (
    <GuardOrConfigAdmin permission={auditPermissions.view}>
      <Split list={<EntryList selected={id} />} detail={id === null ? null : <Outlet />} />
    </GuardOrConfigAdmin>
  );
}

export function AuditDetail() {
  const { id } = detailRoute.useParams() as { id: string };
  const search = route.useSearch() as AuditSearch;
  const navigate = useNavigate();
  return <EntryDetails key={id} id={Number(id)} onClose={() => void navigate({ to: "/panel/audit", search })} />;
}

function useOpened(): number | null {
  const matches = useMatches();
  const id = (matches.at(-1)?.params as { id?: string } | undefined)?.id;
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
}

function EntryList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as AuditSearch;
  const filters = filtersOf(search);
  const navigate = useNavigate();
  const grid = useRef<GridHandle>(null);
  const columns = useAuditColumns(useJobLabels());
  const { query, rows, total, more, capped } = useEntries(filters);
  const here = selected === null ? "/panel/audit" : `/panel/audit/${selected}`;

  const change = (next: AuditSearch) => void navigate({ to: here, search: next, replace: true });
  const open = (id: number) => void navigate({ to: `/panel/audit/${id}`, search, replace: selected !== null });
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
  const empty =
    Object.keys(filters).length > 0 ? (
      <EmptyState icon={IconHistoryOff} title={t("audit.nothing.title")} text={t("audit.nothing.text")} action={clear} />
    ) : (
      <EmptyState icon={IconHistory} title={t("audit.empty.title")} text={t("audit.empty.text")} />
    );

  return (
    <ListPage
      title={t("web.places.audit")}
      filters={<AuditFiltersBar search={search} onChange={change} onInto={() => grid.current?.move(0)} />}
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {!(query.isError && rows.length === 0) && (
        <DataGrid
          key={JSON.stringify(filters)}
          label={t("web.places.audit")}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          rowVersion={(row) => row.folded}
          href={(row) => `/panel/audit/${row.id}${stringifySearch({ ...search })}`}
          onOpen={(row) => open(row.id)}
          narrow={(row) => narrowEntry(t, row)}
          selected={selected}
          loading={query.isPending}
          empty={empty}
          more={query.hasNextPage}
          onMore={() => {
            if (!query.isFetchingNextPage) void query.fetchNextPage();
          }}
          startAt={Number(search.top ?? 0)}
          onTop={(top) => change({ ...filters, ...(top > 0 ? { top: String(top) } : {}) })}
          footer={
            <>
              <span>{query.isPending ? "" : t("audit.count", { count: total, capped: capped || more ? "+" : "" })}</span>
              <span>{query.isFetchingNextPage ? t("web.loadingMore") : ""}</span>
            </>
          }
          handle={grid}
        />
      )}
    </ListPage>
  );
}
