import { useMemo, useState } from "react";
import { getRouteApi, Link, Outlet, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconTags, IconUserQuestion, IconUsersGroup } from "@tabler/icons-react";
import { absencesPermissions } from "@rollcall/server/contract/absences";
import {
  colleaguesExport,
  colleaguesOrders,
  colleaguesPermissions,
  colleaguesViews,
  mostLabels,
} from "@rollcall/server/contract/colleagues";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { filtersOf } from "#core/search.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { ListViews } from "#features/preferences/preferences.api.ts";
import { Guard } from "#ui/guard.tsx";
import type { Filter } from "#ui/listFilters.ts";
import { Records, useOpened } from "#ui/records.tsx";
import { Split } from "#ui/split.tsx";
import { type Asked, colleaguesBulk } from "./bulk.ts";
import { useColleagues, useLabels } from "./colleagues.queries.ts";
import { colleaguesSearch, type ColleaguesSearch } from "./colleagues.search.ts";
import { narrowColleague, useColleagueColumns } from "./columns.tsx";
import { ColleagueView } from "./detail.tsx";
import { Hire } from "./hire.tsx";
import type { LabelsDialogProps } from "./labelsDialog.tsx";
import { rowVersionOf } from "./names.ts";

const LabelsDialog = part<LabelsDialogProps>(["colleagues"], () => import("./labelsDialog.tsx"));
const PATH = "/jobs/colleagues";
const route = getRouteApi("/jobs/colleagues");
const detailRoute = getRouteApi("/jobs/colleagues/$id");

/** Without what the address holds of the open colleague, which filters nothing. */
const useListSearch = (): ColleaguesSearch => colleaguesSearch(route.useSearch());

export default function ColleaguesPage() {
  const id = useOpened();
  return (
    <Guard permission={colleaguesPermissions.list}>
      <Split list={<ColleagueList selected={id} />} detail={id === null ? null : <Outlet />} />
    </Guard>
  );
}

export function ColleagueDetail() {
  const { id }: { id: string } = detailRoute.useParams();
  const search = useListSearch();
  const navigate = useNavigate();
  return <ColleagueView key={id} id={Number(id)} onClose={() => void navigate({ to: PATH, search })} />;
}

function useFilters(): readonly Filter[] {
  const { t } = useText();
  const abilities = useAbilities();
  const seesLabels = abilities.sees(colleaguesPermissions.view, "labels");
  const seesAbsent = abilities.has(absencesPermissions.list);
  const labels = useLabels().data?.items;
  const grades = useJob(useActiveIdentity().character.job.name)?.grades;
  return useMemo(() => {
    const options = (labels ?? []).filter(({ deleted }) => !deleted).map(({ id, name }) => ({ value: String(id), label: name }));
    const label: Filter = {
      kind: "picks",
      id: "label",
      most: mostLabels,
      label: t("colleagues.filters.label"),
      placeholder: t("colleagues.filters.anyLabel"),
      nothingFound: t("colleagues.labels.none"),
      options,
    };
    const absent: Filter = {
      kind: "choice",
      id: "absent",
      label: t("colleagues.filters.absent"),
      placeholder: t("colleagues.filters.anyAbsent"),
      options: [
        { value: "yes", label: t("colleagues.filters.isAbsent") },
        { value: "no", label: t("colleagues.filters.isThere") },
      ],
    };
    return [
      ...(seesLabels ? [label] : []),
      {
        kind: "choice",
        id: "fromGrade",
        label: t("colleagues.filters.fromGrade"),
        placeholder: t("colleagues.filters.anyGrade"),
        options: (grades ?? []).map((one) => ({ value: String(one.grade), label: one.label })),
      },
      {
        kind: "choice",
        id: "duty",
        label: t("colleagues.columns.duty"),
        placeholder: t("colleagues.filters.anyDuty"),
        options: [
          { value: "on", label: t("colleagues.duty.on") },
          { value: "off", label: t("colleagues.duty.off") },
        ],
      },
      ...(seesAbsent ? [absent] : []),
    ];
  }, [t, seesLabels, seesAbsent, labels, grades]);
}

function ColleagueList({ selected }: { readonly selected: number | null }) {
  const { t } = useText();
  const search = useListSearch();
  const abilities = useAbilities();
  const [asked, setAsked] = useState<Asked | null>(null);
  const gives = abilities.sees(colleaguesPermissions.edit, "labels");
  const { query, rows, total, totalCapped, onShown } = useColleagues(search);
  const answer = (sent: Parameters<Asked["answer"]>[0]) => {
    asked?.answer(sent);
    setAsked(null);
  };
  return (
    <>
      <Records
        title={t("colleagues.title")}
        path={PATH}
        search={search}
        selected={selected}
        query={query}
        rows={rows}
        onShown={onShown}
        columns={useColleagueColumns()}
        orders={colleaguesOrders}
        ranked={search.q !== undefined}
        rowVersion={rowVersionOf}
        narrow={(row) => narrowColleague(t, row)}
        empty={{ icon: IconUsersGroup, title: t("colleagues.empty.title"), text: t("colleagues.empty.text") }}
        unmatched={{ icon: IconUserQuestion, title: t("colleagues.nothing.title"), text: t("colleagues.nothing.text") }}
        count={t("colleagues.count", { count: total, capped: totalCapped ? "+" : "" })}
        {...(totalCapped ? {} : { total })}
        searchLabel={t("colleagues.searchLabel")}
        filters={useFilters()}
        bulk={colleaguesBulk(t, { ask: gives ? setAsked : undefined })}
        beside={
          <>
            <ListViews
              definition={colleaguesViews}
              path={PATH}
              search={search}
              selected={selected}
              addressOf={colleaguesSearch}
            />
            {abilities.has(colleaguesPermissions.export) && !tablet && (
              <ExportButton kind={colleaguesExport} filter={exportedFilter(search)} />
            )}
            {abilities.has(colleaguesPermissions.hire) && <Hire />}
            {abilities.has(colleaguesPermissions.labels) && (
              <Button
                variant="default"
                leftSection={<IconTags size={16} />}
                renderRoot={(props) => <Link to="/jobs/colleagues/labels" {...props} />}
              >
                {t("colleagues.labels.open")}
              </Button>
            )}
          </>
        }
      />
      {asked !== null && <LabelsDialog people={asked.people} onDone={answer} onClose={() => answer(null)} />}
    </>
  );
}

/** Grades are texts in the address. */
function exportedFilter(search: ColleaguesSearch): Record<string, unknown> {
  const { fromGrade, ...rest } = filtersOf(search);
  return {
    ...rest,
    ...(fromGrade === undefined ? {} : { fromGrade: Number(fromGrade) }),
  };
}
