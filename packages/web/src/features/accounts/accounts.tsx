import { useMemo, useRef, useState, type ReactNode } from "react";
import { getRouteApi, Outlet, useMatches, useNavigate } from "@tanstack/react-router";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Badge, Button, NativeSelect } from "@mantine/core";
import { IconPlus, IconUserOff } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { listAccounts } from "@rollcall/server/contract/accounts";
import { useText, type Translate } from "#core/i18n.ts";
import { pagesOf } from "#core/queries.ts";
import { stringifySearch } from "#core/search.ts";
import { DataGrid, type Column, type GridHandle } from "#ui/grid.tsx";
import { FilterBar, ListPage } from "#ui/list.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Split } from "#ui/split.tsx";
import { EmptyState, ProblemNote } from "#ui/states.tsx";
import { FILTERS, filtersOf, type AccountsSearch } from "./accounts.search.ts";
import { NewAccount } from "./create.tsx";
import classes from "./accounts.module.css";

type Row = OutputOf<typeof listAccounts>["items"][number];

const route = getRouteApi("/panel/accounts");
const NO_ROWS: readonly Row[] = [];

export default function AccountsPage() {
  const id = useOpened();
  return <Split list={<AccountList selected={id} />} detail={id === null ? null : <Outlet />} />;
}

function useOpened(): number | null {
  const id = (useMatches().at(-1)?.params as { id?: string } | undefined)?.id;
  return id !== undefined && /^\d+$/.test(id) ? Number(id) : null;
}

/** What is special about an account, in a word. */
function stateOf(t: Translate, row: Row): string | null {
  if (row.deletedAt !== null) return t("accounts.state.deleted");
  if (!row.enabled) return t("accounts.state.disabled");
  return row.hasPassword ? null : t("accounts.state.withoutPassword");
}

function useColumns(): readonly Column<Row>[] {
  const { t } = useText();
  return useMemo(
    () => [
      {
        id: "username",
        header: t("accounts.columns.username"),
        track: "minmax(130px, 1.4fr)",
        cell: (row) => row.username ?? <span className={classes["none"]}>{t("accounts.unregistered")}</span>,
      },
      { id: "licence", header: t("accounts.columns.licence"), track: "minmax(120px, 1.6fr)", cell: (row) => row.licence },
      {
        id: "groups",
        header: t("accounts.columns.groups"),
        track: "minmax(90px, 1fr)",
        from: 620,
        cell: (row) => row.groups.join(", "),
      },
      {
        id: "state",
        header: t("accounts.columns.state"),
        track: "minmax(110px, 1fr)",
        from: 520,
        cell: (row) => (
          <>
            {stateOf(t, row)}
            {row.admin !== null && (
              <Badge variant="default" size="sm">
                {t(`accounts.admin.${row.admin}`)}
              </Badge>
            )}
          </>
        ),
      },
      {
        id: "createdAt",
        header: t("accounts.columns.createdAt"),
        track: "110px",
        from: 820,
        numeric: true,
        cell: (row) => <TimeAgo instant={row.createdAt} />,
      },
    ],
    [t],
  );
}

function narrowAccount(t: Translate, row: Row): readonly [ReactNode, ReactNode] {
  return [
    row.username ?? t("accounts.unregistered"),
    <>
      <span>{row.licence}</span>
      <span>{stateOf(t, row)}</span>
    </>,
  ];
}

function AccountFilters(props: { search: AccountsSearch; onChange: (next: AccountsSearch) => void; onInto: () => void }) {
  const { t } = useText();
  const { search, onChange } = props;
  const put = (field: "q" | "only", value: string) => {
    const { [field]: _old, ...rest } = filtersOf(search);
    onChange(value === "" ? rest : { ...rest, [field]: value });
  };
  return (
    <FilterBar
      label={t("accounts.searchLabel")}
      query={search.q ?? ""}
      onQuery={(text) => put("q", text)}
      set={search.only ? 1 : 0}
      onClear={() => onChange({})}
      onInto={props.onInto}
    >
      <NativeSelect
        label={t("accounts.columns.state")}
        value={search.only ?? ""}
        onChange={(event) => put("only", event.currentTarget.value)}
        data={[
          { value: "", label: t("accounts.state.any") },
          ...FILTERS.map((value) => ({ value, label: t(`accounts.state.${value}`) })),
        ]}
      />
    </FilterBar>
  );
}

function AccountList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as AccountsSearch;
  const navigate = useNavigate();
  const grid = useRef<GridHandle>(null);
  const columns = useColumns();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery({
    ...pagesOf(listAccounts, filtersOf(search), 50),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap((page) => page.items) ?? NO_ROWS;
  const last = query.data?.pages.at(-1);
  const here = selected === null ? "/panel/accounts" : `/panel/accounts/${selected}`;
  const change = (next: AccountsSearch) => void navigate({ to: here, search: next, replace: true });
  const empty = <EmptyState icon={IconUserOff} title={t("accounts.nothing.title")} text={t("accounts.nothing.text")} />;

  return (
    <ListPage
      title={t("accounts.title")}
      filters={
        <div className={classes["top"]}>
          <div className={classes["grow"]}>
            <AccountFilters search={search} onChange={change} onInto={() => grid.current?.move(0)} />
          </div>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setCreating(!creating)}
            aria-expanded={creating}
          >
            {t("accounts.create.open")}
          </Button>
        </div>
      }
    >
      {creating && <NewAccount onClose={() => setCreating(false)} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {!(query.isError && rows.length === 0) && (
        <DataGrid
          key={JSON.stringify(filtersOf(search))}
          label={t("accounts.title")}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          rowVersion={(row) => row.createdAt}
          href={(row) => `/panel/accounts/${row.id}${stringifySearch({ ...search })}`}
          onOpen={(row) => void navigate({ to: `/panel/accounts/${row.id}`, search, replace: selected !== null })}
          narrow={(row) => narrowAccount(t, row)}
          selected={selected}
          loading={query.isPending}
          empty={empty}
          more={query.hasNextPage}
          onMore={() => {
            if (!query.isFetchingNextPage) void query.fetchNextPage();
          }}
          startAt={Number(search.top ?? 0)}
          onTop={(top) => change({ ...filtersOf(search), ...(top > 0 ? { top: String(top) } : {}) })}
          footer={<span>{last ? t("accounts.count", { count: last.total, capped: last.totalCapped ? "+" : "" }) : ""}</span>}
          handle={grid}
        />
      )}
    </ListPage>
  );
}
