import { useQuery } from "@tanstack/react-query";
import { colleaguesPermissions, getJobStatistics, statisticsTopic } from "@rollcall/server/contract/colleagues";
import { useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { calendarMonth } from "#core/time.ts";
import { answered } from "#core/seen.ts";
import { Guard } from "#ui/guard.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { Plot } from "#ui/plots/plot.tsx";
import { Facts } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type JobStatistics, movesByMonth, type NamedMonths, peopleByMonth, retentionPlots } from "./statistics.plots.ts";

export default function JobStatisticsPage() {
  return (
    <Guard permission={colleaguesPermissions.statistics}>
      <Shown />
    </Guard>
  );
}

/** How the own job grew and shrank within a year. */
function Shown() {
  const { t } = useText();
  useFollow(statisticsTopic);
  const query = useQuery(queryOf(getJobStatistics, {}));
  return (
    <PanelPage title={t("colleagues.commands.statistics")} lead={t("colleagues.statistics.lead")}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["40%", "90%", "80%"]} />}
      {query.data && <Plots data={query.data} />}
    </PanelPage>
  );
}

function Plots({ data }: { readonly data: JobStatistics }) {
  const { t, language } = useText();
  const { people, onLeave, months } = data;
  const named: NamedMonths = { months, names: months.map(({ month }) => calendarMonth(month, language)) };
  const answer = answered(named);
  const facts = [
    { label: t("colleagues.statistics.now"), value: String(people) },
    ...(onLeave === null ? [] : [{ label: t("colleagues.statistics.onLeave"), value: String(onLeave) }]),
  ];
  return (
    <>
      <PanelSection title={t("colleagues.statistics.today")}>
        <Facts facts={facts} />
      </PanelSection>
      <Plot of={peopleByMonth} answer={answer} />
      <Plot of={movesByMonth} answer={answer} />
      {retentionPlots.map((plot) => (
        <Plot key={plot.title} of={plot} answer={answer} />
      ))}
    </>
  );
}
