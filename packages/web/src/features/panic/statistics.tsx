import { panicPermissions } from "@rollcall/server/contract/panic";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { exactLength } from "#core/time.ts";
import { Guard } from "#ui/guard.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { Facts } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { stateText } from "./columns.tsx";
import { usePanicStatistics } from "./panic.queries.ts";
import { Back } from "./setup.tsx";
import classes from "./panic.module.css";

/** How the panics of the own job ended, and how fast it answered. */
export default function StatisticsPage() {
  return (
    <Guard permission={panicPermissions.view}>
      <Content />
    </Guard>
  );
}

function Content() {
  const { t } = useText();
  const query = usePanicStatistics(useAbilities().has(panicPermissions.view));
  const { data } = query;
  const seconds = (value: number) => exactLength(Math.round(value));
  return (
    <PanelPage title={t("panic.statistics.title")} lead={t("panic.statistics.lead")} actions={<Back />}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["40%", "60%", "50%"]} />}
      {data && data.states.length === 0 && <p className={classes["quiet"]}>{t("panic.statistics.none", { count: data.days })}</p>}
      {data && data.states.length > 0 && (
        <>
          <PanelSection title={t("panic.statistics.ends", { count: data.days })}>
            <Facts facts={data.states.map((one) => ({ label: stateText(t, one), value: one.count }))} />
          </PanelSection>
          <PanelSection title={t("panic.statistics.answers")}>
            <Facts
              facts={[
                { label: t("panic.statistics.acknowledged"), value: data.acknowledged },
                ...(data.medianSeconds === null
                  ? []
                  : [{ label: t("panic.statistics.median"), value: seconds(data.medianSeconds) }]),
                ...(data.slowestSeconds === null
                  ? []
                  : [{ label: t("panic.statistics.slowest"), value: seconds(data.slowestSeconds) }]),
                { label: t("panic.statistics.repeated"), value: data.repeated },
              ]}
            />
          </PanelSection>
        </>
      )}
    </PanelPage>
  );
}
