import { getRouteApi, Outlet, useNavigate } from "@tanstack/react-router";
import { IconHistory, IconHistoryOff } from "@tabler/icons-react";
import { auditOrders, auditPermissions, auditViews } from "@rollcall/server/contract/audit";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { tablet } from "#core/preferences.ts";
import { onlyFilters } from "#core/search.ts";
import { absoluteTime } from "#core/time.ts";
import { ListViews } from "#features/preferences/preferences.api.ts";
import { copyRows } from "#ui/copyRows.ts";
import { GuardOrConfigAdmin } from "#ui/guard.tsx";
import { Records, useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { type Row, useEntries } from "./audit.queries.ts";
import { auditSearch, type AuditSearch } from "./audit.search.ts";
import { auditCardCells, useAuditColumns } from "./columns.tsx";
import { EntryDetails } from "./detail.tsx";
import { AuditExports } from "./exports.tsx";
import { useAuditFilters } from "./filters.ts";
import { actionText, actorText, objectText } from "./texts.ts";

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

function EntryList({ selected }: { selected: number | null }) {
  const { t, language } = useText();
  const search = route.useSearch() as AuditSearch;
  const jobLabel = useJobLabels();
  const { query, rows, total, more, capped } = useEntries(onlyFilters(search), search.order);
  const lineOf = (row: Row) =>
    [absoluteTime(row.at, language), actorText(t, row), actionText(t, row.action), objectText(t, row.object, jobLabel)]
      .filter((part) => part !== "")
      .join(", ");
  return (
    <Records
      title={t("web.places.audit")}
      path="/panel/audit"
      search={search}
      selected={selected}
      query={query}
      rows={rows}
      columns={useAuditColumns(jobLabel)}
      rowVersion={(row) => row.folded}
      narrow={(row) => auditCardCells(t, row, jobLabel)}
      empty={{ icon: IconHistory, title: t("audit.empty.title"), text: t("audit.empty.text") }}
      unmatched={{ icon: IconHistoryOff, title: t("audit.nothing.title"), text: t("audit.nothing.text") }}
      count={t("audit.count", { count: total, capped: capped || more ? "+" : "" })}
      {...(capped || more ? {} : { total })}
      orders={auditOrders}
      searchLabel={t("audit.searchLabel")}
      filters={useAuditFilters(search)}
      bulk={{ actions: [copyRows(t, lineOf)], nameOf: lineOf }}
      beside={
        <>
          <ListViews definition={auditViews} path="/panel/audit" search={search} selected={selected} addressOf={auditSearch} />
          {!tablet && <AuditExports filters={onlyFilters(search)} order={search.order} />}
        </>
      }
    />
  );
}
