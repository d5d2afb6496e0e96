import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconArrowLeft, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { absencesPermissions } from "@rollcall/server/contract/absences";
import { useText } from "#core/i18n.ts";
import { answered } from "#core/seen.ts";
import { Guard } from "#ui/guard.tsx";
import { PanelPage } from "#ui/panel.tsx";
import { Plot } from "#ui/plots/plot.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { absentByDay, daysByKind, type Statistics } from "./absences.plots.ts";
import { today, useStatistics } from "./absences.queries.ts";
import type { AbsencesSearch } from "./absences.search.ts";
import { monthAfter, monthsFrom } from "./calendar.ts";
import { monthName } from "./texts.ts";
import classes from "./absences.module.css";

const route = getRouteApi("/absences/statistics");

/** Months in one look. */
const MONTHS = 3;

export default function AbsenceStatisticsPage() {
  return (
    <Guard permission={absencesPermissions.list}>
      <Shown />
    </Guard>
  );
}

/** How many were or will be absent on each day of three months, and on how many days by kind. */
function Shown() {
  const { t, language } = useText();
  const navigate = useNavigate();
  const search: AbsencesSearch = route.useSearch();
  const month = search.month ?? today().slice(0, 7);
  const span = monthsFrom(month, MONTHS);
  const query = useStatistics(span);
  const go = (count: number) =>
    void navigate({ to: "/absences/statistics", search: { month: monthAfter(month, count) }, replace: true });
  const [first, last] = [monthName(month, language), monthName(span.lastDay.slice(0, 7), language)];
  return (
    <PanelPage
      title={t("absences.statistics.title")}
      lead={t("absences.span", { first, last })}
      actions={
        <div className={classes["actions"]}>
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} />}
            renderRoot={(props) => <Link to="/absences" {...props} />}
          >
            {t("absences.title")}
          </Button>
          <Button variant="default" leftSection={<IconChevronLeft size={16} />} onClick={() => go(-MONTHS)}>
            {t("absences.statistics.before")}
          </Button>
          <Button variant="default" rightSection={<IconChevronRight size={16} />} onClick={() => go(MONTHS)}>
            {t("absences.statistics.after")}
          </Button>
        </div>
      }
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["40%", "90%", "80%"]} />}
      {query.data && <Plots data={query.data} />}
    </PanelPage>
  );
}

function Plots({ data }: { readonly data: Statistics }) {
  const answer = answered(data);
  return (
    <>
      <Plot of={absentByDay} answer={answer} />
      {data.kinds !== undefined && <Plot of={daysByKind} answer={answer} />}
    </>
  );
}
