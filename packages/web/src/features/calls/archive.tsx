import { useMemo } from "react";
import { getRouteApi, Outlet, useNavigate } from "@tanstack/react-router";
import { IconArchive, IconArchiveOff } from "@tabler/icons-react";
import {
  archiveStates,
  archiveViews,
  callsExport,
  callsOrders,
  callsPermissions,
  usualRules,
} from "@rollcall/server/contract/calls";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { ListViews } from "#features/preferences/preferences.api.ts";
import { useUnits } from "#features/units/units.api.ts";
import type { Column } from "#ui/grid.types.ts";
import type { Filter } from "#ui/listFilters.ts";
import { PanelPage } from "#ui/panel.tsx";
import { Records, useOpened } from "#ui/records.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Split } from "#ui/split.tsx";
import { RightHint } from "#ui/states.tsx";
import { archiveFilters, type ArchiveSearch, archiveSearch } from "./archive.search.ts";
import { type Call, useArchive, useTypes } from "./calls.queries.ts";
import { narrowCall, shownVersion, useCallColumns } from "./columns.tsx";
import { CallView } from "./detail.tsx";

const path = "/dispatch/archive";
const route = getRouteApi(path);
const detailRoute = getRouteApi("/dispatch/archive/$id");

/** Ended calls of the own job. */
export default function ArchivePage() {
  const { t } = useText();
  const id = useOpened();
  if (!useAbilities().has(callsPermissions.view))
    return (
      <PanelPage title={t("calls.archive.title")} lead={t("calls.archive.lead")}>
        <RightHint permission={callsPermissions.view.id} />
      </PanelPage>
    );
  return <Split list={<ArchiveList selected={id} />} detail={id === null ? null : <Outlet />} />;
}

export function ArchivedCall() {
  const { id }: { id: string } = detailRoute.useParams();
  const search: ArchiveSearch = route.useSearch();
  const navigate = useNavigate();
  return <CallView key={id} id={Number(id)} onClose={() => void navigate({ to: path, search })} />;
}

function useFilters(): readonly Filter[] {
  const { t } = useText();
  const types = useTypes().data?.items ?? [];
  const units = useUnits().data?.items ?? [];
  const states = archiveStates.map((state) => ({ value: state, label: t(`calls.states.${state}`) }));
  const priorities = [1, 2, 3, 4, 5].map((priority) => ({ value: String(priority), label: t("calls.priorities", { priority }) }));
  const any = t("calls.any");
  return [
    { kind: "choice", id: "state", label: t("calls.columns.state"), placeholder: any, options: states },
    { kind: "day", id: "from", label: t("calls.archive.from") },
    { kind: "day", id: "until", label: t("calls.archive.until") },
    {
      kind: "pick",
      id: "typeId",
      label: t("calls.columns.type"),
      placeholder: any,
      options: types.map(({ id, code, name }) => ({ value: String(id), label: `${code} ${name}` })),
      nothingFound: t("calls.archive.noType"),
    },
    {
      kind: "pick",
      id: "unitId",
      label: t("calls.archive.unit"),
      placeholder: any,
      options: units.map(({ id, name, callsign }) => ({
        value: String(id),
        label: callsign === null ? name : `${callsign} ${name}`,
      })),
      nothingFound: t("calls.archive.noUnit"),
    },
    { kind: "job", id: "job", label: t("calls.archive.job"), placeholder: any },
    { kind: "text", id: "postal", label: t("calls.columns.postal"), maxLength: 48 },
    { kind: "choice", id: "priority", label: t("calls.columns.priority"), placeholder: any, options: priorities },
  ];
}

/** Those of the list of calls, and how each one ended. */
function useColumns(waitSeconds: number): readonly Column<Call>[] {
  const { t } = useText();
  const columns = useCallColumns(waitSeconds);
  return useMemo(
    () => [
      ...columns,
      {
        id: "outcome",
        header: t("calls.outcome"),
        track: "minmax(120px, 1.4fr)",
        from: 860,
        cell: ({ ended }) => ended?.text ?? null,
      },
      {
        id: "endedAt",
        order: "endedAt",
        header: t("calls.archive.endedAt"),
        track: "110px",
        from: 860,
        numeric: true,
        cell: ({ ended }) => (ended === null ? null : <TimeAgo instant={ended.at} />),
      },
    ],
    [columns, t],
  );
}

function ArchiveList({ selected }: { readonly selected: number | null }) {
  const { t } = useText();
  const search: ArchiveSearch = route.useSearch();
  const abilities = useAbilities();
  const { waitSeconds } = useTypes().data?.rules ?? usualRules;
  const { query, rows, total, totalCapped, onShown } = useArchive(search);
  return (
    <Records
      title={t("calls.archive.title")}
      path={path}
      search={search}
      selected={selected}
      query={query}
      rows={rows}
      onShown={onShown}
      columns={useColumns(waitSeconds)}
      orders={archiveOrders}
      ranked={search.q !== undefined}
      rowVersion={shownVersion}
      narrow={narrowCall(t, waitSeconds)}
      empty={{ icon: IconArchive, title: t("calls.archive.empty"), text: t("calls.archive.emptyText") }}
      unmatched={{ icon: IconArchiveOff, title: t("calls.nothing.title"), text: t("calls.archive.nothingText") }}
      count={t("calls.count", { count: total, capped: totalCapped ? "+" : "" })}
      {...(totalCapped ? {} : { total })}
      searchLabel={t("calls.archive.search")}
      filters={useFilters()}
      beside={
        <>
          <ListViews definition={archiveViews} path={path} search={search} selected={selected} addressOf={archiveSearch} />
          {abilities.has(callsPermissions.export) && !tablet && (
            <ExportButton kind={callsExport} filter={archiveFilters(search)} />
          )}
        </>
      }
    />
  );
}

/** The latest first. */
const archiveOrders = { ...callsOrders, default: "-createdAt" } as const;
