import { getRouteApi, Outlet } from "@tanstack/react-router";
import { IconUsers, IconUserSearch } from "@tabler/icons-react";
import { citizensExport, citizensOrders, citizensPermissions, citizensViews } from "@rollcall/server/contract/citizens";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { filtersOf } from "#core/search.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { ListViews } from "#features/preferences/preferences.api.ts";
import { copyRows } from "#ui/copyRows.ts";
import { Guard } from "#ui/guard.tsx";
import { Records, useOpened } from "#ui/records.tsx";
import { Single, Split } from "#ui/split.tsx";
import { fullName, narrowCitizen, refOf, useCitizenColumns } from "./columns.tsx";
import { useCitizenFilters } from "./filters.ts";
import { citizensSearch, type CitizensSearch, isRanked } from "./citizens.search.ts";
import { type CitizenRow, useCitizens } from "./citizens.queries.ts";

const route = getRouteApi("/citizens");

export default function CitizensPage() {
  const { t } = useText();
  const id = useOpened();
  const { character } = useActiveIdentity();
  const mayList = useAbilities().has(citizensPermissions.list);
  // The own record opens without the list, which this person may not see.
  if (!mayList && id === character.id)
    return (
      <Single>
        <h1 className="rc-hidden">{t("citizens.own.title")}</h1>
        <Outlet />
      </Single>
    );
  return (
    <Guard permission={citizensPermissions.list}>
      <Split list={<CitizenList selected={id} />} detail={id === null ? null : <Outlet />} />
    </Guard>
  );
}

const lineOf = (row: CitizenRow) => `${fullName(row)} (${refOf(row.id)})`;

function CitizenList({ selected }: { selected: number | null }) {
  const { t } = useText();
  const search = route.useSearch() as CitizensSearch;
  const mayExport = useAbilities().has(citizensPermissions.export) && !tablet;
  const { query, rows, total, totalCapped, onShown } = useCitizens(search);
  return (
    <Records
      title={t("citizens.title")}
      path="/citizens"
      search={search}
      selected={selected}
      query={query}
      rows={rows}
      onShown={onShown}
      columns={useCitizenColumns(search.job)}
      orders={citizensOrders}
      ranked={isRanked(search)}
      rowVersion={(row) => row.version}
      narrow={(row) => narrowCitizen(row, search.job)}
      empty={{ icon: IconUsers, title: t("citizens.empty.title"), text: t("citizens.empty.text") }}
      unmatched={{ icon: IconUserSearch, title: t("citizens.nothing.title"), text: t("citizens.nothing.text") }}
      count={t("citizens.count", { count: total, capped: totalCapped ? "+" : "" })}
      {...(totalCapped ? {} : { total })}
      searchLabel={t("citizens.searchLabel")}
      filters={useCitizenFilters()}
      bulk={{ actions: [copyRows(t, lineOf)], nameOf: lineOf }}
      beside={
        <>
          <ListViews definition={citizensViews} path="/citizens" search={search} selected={selected} addressOf={citizensSearch} />
          {mayExport && <ExportButton kind={citizensExport} filter={filtersOf(search)} />}
        </>
      }
    />
  );
}
