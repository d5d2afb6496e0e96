import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { ActionIcon, Button } from "@mantine/core";
import { IconPhoneCall, IconPhoneOff, IconPhonePlus, IconSettings } from "@tabler/icons-react";
import { callsExport, callsOrders, callsPermissions, callsViews, usualRules } from "@rollcall/server/contract/calls";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { ListViews } from "#features/preferences/preferences.api.ts";
import type { Filter } from "#ui/listFilters.ts";
import { PanelPage } from "#ui/panel.tsx";
import { Records, useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { bulkOf } from "./bulk.ts";
import { shownFilters, useCalls, useTypes } from "./calls.queries.ts";
import { callsSearch, type CallsSearch } from "./calls.search.ts";
import { narrowCall, shownVersion, useCallColumns } from "./columns.tsx";
import { CallView } from "./detail.tsx";
import type { NewDialogProps } from "./newDialog.tsx";
import { OwnCalls } from "./own.tsx";
import { StormRows } from "./storms.tsx";

const NewDialog = part<NewDialogProps>(["calls"], () => import("./newDialog.tsx"));
const route = getRouteApi("/calls");
const detailRoute = getRouteApi("/calls/$id");

/** Calls of the own job; who sees none of a job sees the own ones. */
export default function CallsPage() {
  const { t } = useText();
  const id = useOpened();
  const navigate = useNavigate();
  const search: CallsSearch = route.useSearch();
  const { new: asked, ...rest } = search;
  const abilities = useAbilities();
  const mayCall = abilities.has(callsPermissions.create);
  const list = abilities.has(callsPermissions.view) ? (
    <CallList selected={id} />
  ) : (
    <PanelPage title={t("calls.title")} lead={t("calls.titleHint")} actions={mayCall && <NewButton />}>
      <OwnCalls />
    </PanelPage>
  );
  return (
    <>
      <Split list={list} detail={id === null ? null : <Outlet />} />
      {asked === "1" && mayCall && <NewDialog onClose={() => void navigate({ to: "/calls", search: rest, replace: true })} />}
    </>
  );
}

export function CallDetail() {
  const { id }: { id: string } = detailRoute.useParams();
  const search: CallsSearch = route.useSearch();
  const navigate = useNavigate();
  return <CallView key={id} id={Number(id)} onClose={() => void navigate({ to: "/calls", search })} />;
}

function NewButton() {
  const { t } = useText();
  const search: CallsSearch = route.useSearch();
  const navigate = useNavigate();
  return (
    <Button
      leftSection={<IconPhonePlus size={16} aria-hidden />}
      aria-haspopup="dialog"
      onClick={() => void navigate({ to: "/calls", search: { ...search, new: "1" }, replace: true })}
    >
      {t("calls.new.open")}
    </Button>
  );
}

function useFilters(): readonly Filter[] {
  const { t } = useText();
  const types = useTypes().data?.items.filter(({ deleted }) => !deleted) ?? [];
  const states = (["completed", "cancelled", "merged"] as const).map((state) => ({
    value: state,
    label: t(`calls.states.${state}`),
  }));
  const priorities = [1, 2, 3, 4, 5].map((priority) => ({ value: String(priority), label: t("calls.priorities", { priority }) }));
  const options = types.map(({ id, code, name }) => ({ value: String(id), label: `${code} ${name}` }));
  const any = t("calls.any");
  return [
    { kind: "choice", id: "state", label: t("calls.columns.state"), placeholder: t("calls.states.open"), options: states },
    { kind: "choice", id: "priority", label: t("calls.columns.priority"), placeholder: any, options: priorities },
    { kind: "choice", id: "typeId", label: t("calls.columns.type"), placeholder: any, options },
  ];
}

function CallList({ selected }: { readonly selected: number | null }) {
  const { t } = useText();
  const found: CallsSearch = route.useSearch();
  const { new: _asked, ...search } = found;
  const abilities = useAbilities();
  const { waitSeconds } = useTypes().data?.rules ?? usualRules;
  const { query, rows, total, totalCapped, onShown } = useCalls(search);
  const mayCall = abilities.has(callsPermissions.create);
  return (
    <Records
      title={t("calls.title")}
      path="/calls"
      search={search}
      selected={selected}
      query={query}
      rows={rows}
      onShown={onShown}
      above={<StormRows />}
      columns={useCallColumns(waitSeconds)}
      orders={callsOrders}
      {...(abilities.has(callsPermissions.dispatch) ? { bulk: bulkOf(t) } : {})}
      ranked={search.q !== undefined}
      rowVersion={shownVersion}
      narrow={narrowCall(t, waitSeconds)}
      empty={{
        icon: IconPhoneCall,
        title: t("calls.empty.title"),
        text: t("calls.empty.text"),
        ...(mayCall ? { action: <NewButton /> } : {}),
      }}
      unmatched={{ icon: IconPhoneOff, title: t("calls.nothing.title"), text: t("calls.nothing.text") }}
      count={t("calls.count", { count: total, capped: totalCapped ? "+" : "" })}
      {...(totalCapped ? {} : { total })}
      searchLabel={t("calls.searchLabel")}
      filters={useFilters()}
      beside={
        <>
          <ListViews definition={callsViews} path="/calls" search={search} selected={selected} addressOf={callsSearch} />
          {abilities.has(callsPermissions.export) && !tablet && <ExportButton kind={callsExport} filter={shownFilters(search)} />}
          {abilities.has(callsPermissions.setup) && (
            <ActionIcon
              variant="default"
              size="lg"
              aria-label={t("calls.setup.open")}
              title={t("calls.setup.open")}
              renderRoot={(props) => <Link to="/calls/setup" {...props} />}
            >
              <IconSettings size={16} aria-hidden />
            </ActionIcon>
          )}
          {mayCall && <NewButton />}
        </>
      }
    />
  );
}
