import { useMemo, useState, type ReactNode } from "react";
import { getRouteApi, Outlet } from "@tanstack/react-router";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Badge, Button } from "@mantine/core";
import { IconPlus, IconUserOff } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { accountsOrders, accountsViews, listAccounts } from "@rollcall/server/contract/accounts";
import { useText, type Translate } from "#core/i18n.ts";
import { pagesOf } from "#core/queries.ts";
import { filtersOf } from "#core/search.ts";
import { ListViews } from "#features/preferences/preferences.api.ts";
import type { Column } from "#ui/grid.types.ts";
import type { Filter } from "#ui/listFilters.ts";
import { Records, useOpened } from "#ui/records.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Split } from "#ui/split.tsx";
import { accountsSearch, FILTERS, type AccountsSearch } from "./accounts.search.ts";
import { NewAccount } from "./create.tsx";
import classes from "./accounts.module.css";

type Row = OutputOf<typeof listAccounts>["items"][number];

const route = getRouteApi("/panel/accounts");
const NO_ROWS: readonly Row[] = [];

export default function AccountsPage() {
  const id = useOpened();
  return <Split list={<AccountList selected={id} />} detail={id === null ? null : <Outlet />} />;
}

/** The badge of an account that is deleted, disabled or has no password. */
function stateOf(t: Translate, row: Row): string | null {
  if (row.deletedAt !== null) return t("accounts.state.deleted");
  if (!row.enabled) return t("accounts.state.disabled");
  return row.hasPassword ? null : t("accounts.state.withoutPassword");
}

/** The first ones by name, and how many there are besides. */
function charactersOf(t: Translate, { characters, characterCount }: Row): string {
  const names = characters.map(({ name }) => name).join(", ");
  const more = characterCount - characters.length;
  return more > 0 ? `${names} ${t("accounts.moreCharacters", { count: more })}` : names;
}

function useColumns(): readonly Column<Row>[] {
  const { t } = useText();
  return useMemo(
    () => [
      {
        id: "username",
        order: "username",
        header: t("accounts.columns.username"),
        track: "minmax(130px, 1.4fr)",
        cell: (row) => row.username ?? <span className={classes["none"]}>{t("accounts.unregistered")}</span>,
      },
      {
        id: "characters",
        header: t("accounts.columns.characters"),
        track: "minmax(140px, 1.8fr)",
        from: 420,
        cell: (row) => charactersOf(t, row),
      },
      {
        id: "lastSeenAt",
        order: "lastSeenAt",
        header: t("accounts.columns.lastSeenAt"),
        track: "110px",
        from: 560,
        numeric: true,
        cell: (row) => (row.lastSeenAt === null ? <span>–</span> : <TimeAgo instant={row.lastSeenAt} />),
      },
      {
        id: "licence",
        header: t("accounts.columns.licence"),
        track: "minmax(120px, 1.2fr)",
        from: 980,
        cell: (row) => row.licence,
      },
      {
        id: "groups",
        header: t("accounts.columns.groups"),
        track: "minmax(90px, 1fr)",
        from: 760,
        cell: (row) => row.groups.join(", "),
      },
      {
        id: "state",
        header: t("accounts.columns.state"),
        track: "minmax(110px, 1fr)",
        from: 660,
        cell: (row) => (
          <>
            {stateOf(t, row)}
            {row.admin !== null && (
              <Badge variant="default" size="sm">
                {t(`accounts.admin.${row.admin}`)}
              </Badge>
            )}
            {row.adminWaiting !== null && (
              <Badge variant="default" size="sm">
                {t("accounts.state.waiting")}
              </Badge>
            )}
          </>
        ),
      },
      {
        id: "createdAt",
        order: "createdAt",
        header: t("accounts.columns.createdAt"),
        track: "110px",
        from: 1100,
        numeric: true,
        cell: (row) => <TimeAgo instant={row.createdAt} />,
      },
    ],
    [t],
  );
}

/** What the column of the state shows, in one line. */
function standingOf(t: Translate, row: Row): string {
  const admin = row.admin === null ? null : t(`accounts.admin.${row.admin}`);
  const waiting = row.adminWaiting === null ? null : t("accounts.state.waiting");
  return [stateOf(t, row), admin, waiting].filter((one) => one !== null).join(" · ");
}

function narrowAccount(t: Translate, row: Row): readonly [ReactNode, ReactNode] {
  return [
    row.username ?? t("accounts.unregistered"),
    <>
      <span>{row.characterCount > 0 ? charactersOf(t, row) : row.licence}</span>
      <span className={classes["standing"]}>{standingOf(t, row)}</span>
    </>,
  ];
}

function filtersFor(t: Translate): readonly Filter[] {
  const options = FILTERS.map((value) => ({ value, label: t(`accounts.state.${value}`) }));
  return [{ kind: "choice", id: "only", label: t("accounts.columns.state"), placeholder: t("accounts.state.any"), options }];
}

function AccountList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as AccountsSearch;
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery({
    ...pagesOf(listAccounts, filtersOf(search), 50),
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap((page) => page.items) ?? NO_ROWS;
  const last = query.data?.pages.at(-1);
  const none = { icon: IconUserOff, title: t("accounts.nothing.title"), text: t("accounts.nothing.text") };
  return (
    <Records
      title={t("accounts.title")}
      path="/panel/accounts"
      search={search}
      selected={selected}
      query={query}
      rows={rows}
      columns={useColumns()}
      rowVersion={(row) => row.createdAt}
      narrow={(row) => narrowAccount(t, row)}
      empty={none}
      unmatched={none}
      count={last ? t("accounts.count", { count: last.total, capped: last.totalCapped ? "+" : "" }) : ""}
      {...(last && !last.totalCapped ? { total: last.total } : {})}
      orders={accountsOrders}
      searchLabel={t("accounts.searchLabel")}
      filters={filtersFor(t)}
      beside={
        <>
          <ListViews
            definition={accountsViews}
            path="/panel/accounts"
            search={search}
            selected={selected}
            addressOf={accountsSearch}
          />
          <Button
            variant="default"
            leftSection={<IconPlus size={16} />}
            onClick={() => setCreating(!creating)}
            aria-expanded={creating}
          >
            {t("accounts.create.open")}
          </Button>
        </>
      }
      above={creating && <NewAccount onClose={() => setCreating(false)} />}
    />
  );
}
