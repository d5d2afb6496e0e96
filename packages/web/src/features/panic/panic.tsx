import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { ActionIcon } from "@mantine/core";
import { IconAlertTriangle, IconChartBar, IconFileOff, IconSettings } from "@tabler/icons-react";
import { panicExport, panicOrders, panicPermissions, panicViews } from "@rollcall/server/contract/panic";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { filtersOf } from "#core/search.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { ListViews } from "#features/preferences/preferences.api.ts";
import type { Filter } from "#ui/listFilters.ts";
import { PanelPage } from "#ui/panel.tsx";
import { Records, useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { narrowPanic, shownVersion, usePanicColumns } from "./columns.tsx";
import { PanicView } from "./detail.tsx";
import { PanicButton } from "./panic.api.ts";
import { usePanics } from "./panic.queries.ts";
import { panicSearch, type PanicSearch } from "./panic.search.ts";
import classes from "./panic.module.css";

const route = getRouteApi("/panic");
const detailRoute = getRouteApi("/panic/$id");

/** What alarmed the own job; who sees no history presses the button here. */
export default function PanicPage() {
  const { t } = useText();
  const id = useOpened();
  const list = useAbilities().has(panicPermissions.view) ? (
    <PanicList selected={id} />
  ) : (
    <PanelPage title={t("panic.title")} lead={t("panic.lead")}>
      <p className={classes["quiet"]}>{t("panic.onDuty")}</p>
      <PanicButton />
    </PanelPage>
  );
  return <Split list={list} detail={id === null ? null : <Outlet />} />;
}

export function PanicDetail() {
  const { id }: { id: string } = detailRoute.useParams();
  const search: PanicSearch = route.useSearch();
  const navigate = useNavigate();
  return <PanicView key={id} id={Number(id)} onClose={() => void navigate({ to: "/panic", search })} />;
}

function useFilters(): readonly Filter[] {
  const { t } = useText();
  const options = (["active", "real", "false", "test", "cancelled"] as const).map((state) => ({
    value: state,
    label: t(`panic.states.${state}`),
  }));
  return [{ kind: "choice", id: "state", label: t("panic.columns.state"), placeholder: t("panic.any"), options }];
}

function PanicList({ selected }: { readonly selected: number | null }) {
  const { t } = useText();
  const search: PanicSearch = route.useSearch();
  const abilities = useAbilities();
  const { query, rows, total, totalCapped, onShown } = usePanics(search);
  return (
    <Records
      title={t("panic.title")}
      path="/panic"
      search={search}
      selected={selected}
      query={query}
      rows={rows}
      onShown={onShown}
      columns={usePanicColumns()}
      orders={panicOrders}
      ranked={search.q !== undefined}
      rowVersion={shownVersion}
      narrow={narrowPanic(t)}
      empty={{ icon: IconAlertTriangle, title: t("panic.empty.title"), text: t("panic.empty.text") }}
      unmatched={{ icon: IconFileOff, title: t("panic.nothing.title"), text: t("panic.nothing.text") }}
      count={t("panic.count", { count: total, capped: totalCapped ? "+" : "" })}
      {...(totalCapped ? {} : { total })}
      searchLabel={t("panic.searchLabel")}
      filters={useFilters()}
      beside={
        <>
          <ListViews definition={panicViews} path="/panic" search={search} selected={selected} addressOf={panicSearch} />
          {abilities.has(panicPermissions.export) && !tablet && <ExportButton kind={panicExport} filter={filtersOf(search)} />}
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t("panic.statistics.open")}
            title={t("panic.statistics.open")}
            renderRoot={(props) => <Link to="/panic/statistics" {...props} />}
          >
            <IconChartBar size={16} aria-hidden />
          </ActionIcon>
          {abilities.has(panicPermissions.setup) && (
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t("panic.setup.open")}
              title={t("panic.setup.open")}
              renderRoot={(props) => <Link to="/panic/setup" {...props} />}
            >
              <IconSettings size={16} aria-hidden />
            </ActionIcon>
          )}
        </>
      }
    />
  );
}
