import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconInfoCircle, IconRefresh } from "@tabler/icons-react";
import { doctor, systemStatus } from "@rollcall/server/contract/system";
import { type Translate, useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { shortAge } from "#core/time.ts";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { Release } from "#features/updates/updates.api.ts";
import { useBrowserChecks } from "./browserChecks.ts";
import { Refusals } from "./refused.tsx";
import { type Grade, type Item, type Report, reportOf } from "./report.ts";
import classes from "./status.module.css";

const icons = { ok: IconCircleCheck, hint: IconInfoCircle, warning: IconAlertTriangle, problem: IconCircleX } as const;
const EVERY = 15_000;

/** The health of the installation as the server and this browser see it: what needs attention, then what works. */
export default function StatusPage() {
  const { t } = useText();
  const examined = useQuery({ ...queryOf(doctor, {}), staleTime: 0 });
  const status = useQuery({ ...queryOf(systemStatus, {}), staleTime: 0, refetchInterval: EVERY });
  const browser = useBrowserChecks();
  const sources = [examined, status, browser.query];
  const failed = sources.filter(({ isError }) => isError);
  // What answered is shown also while another source does not; only all of them together say that everything works.
  const report = reportOf(status.data?.parts ?? [], examined.data?.findings ?? [], browser.checks ?? []);
  const isComplete = sources.every(({ isSuccess }) => isSuccess);
  return (
    <PanelPage
      title={t("web.places.status")}
      lead={t("system.panel.lead")}
      actions={
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={examined.isFetching}
          onClick={() => void examined.refetch()}
        >
          {t("system.panel.again")}
        </Button>
      }
    >
      {failed.map(({ error, refetch }, index) => (
        <ProblemNote key={index} error={error} onRetry={() => void refetch()} />
      ))}
      {sources.some(({ isPending }) => isPending) && <Bars widths={["70%", "60%", "80%"]} />}
      {(isComplete || report.count > 0) && <Verdict report={report} />}
      <Release />
      <PanelSection title={t("system.panel.working")} lead={t("system.panel.browserLead")}>
        {status.data && (
          <p className={classes["quiet"]}>
            Rollcall {status.data.version} · {t("system.panel.started")} <TimeAgo instant={status.data.startedAt} />
          </p>
        )}
        <Lines items={report.working} />
      </PanelSection>
      <Refusals />
    </PanelPage>
  );
}

/** One sentence, and below it what to do about each thing, the gravest first. */
function Verdict({ report: { attention, count, worst } }: { report: Report }) {
  const { t } = useText();
  const grade: Grade = count === 0 ? "ok" : worst;
  const Icon = icons[grade];
  return (
    <section className={classes["verdict"]} data-state={grade}>
      <div role="status">
        <h2>
          <Icon size={22} aria-hidden />
          {count === 0 ? t("system.panel.fine") : t("system.panel.attention", { count })}
        </h2>
      </div>
      <Lines items={attention} />
    </section>
  );
}

function Lines({ items }: { items: readonly Item[] }) {
  const { t } = useText();
  return (
    <ul className={classes["list"]}>
      {items.map((item, index) => {
        const { text, remedy } = textsOf(t, item);
        return <Line key={`${text} ${index}`} state={item.grade} text={text} remedy={remedy} />;
      })}
    </ul>
  );
}

function textsOf(t: Translate, item: Item): { text: string; remedy: string } {
  if (item.from === "parts") {
    const { part, state, age, reason } = item.part;
    const name = t(`system.panel.partNames.${part}`, { defaultValue: part });
    const text = t("system.panel.part", { part: name, state: t(`system.panel.conditions.${state}`), age: shortAge(age) });
    return { text, remedy: reason ?? "" };
  }
  const isBrowser = item.from === "browser";
  const [feature = "", finding = ""] = isBrowser ? [] : item.finding.id.split(".");
  const key = isBrowser ? `system.panel.${item.check.name}` : `${feature}.findings.${finding}`;
  const params = isBrowser ? item.check.params : item.finding.params;
  const textOf = (name: string, fallback: string) => String(t(`${key}.${name}`, { ...params, defaultValue: fallback }));
  return { text: textOf("text", isBrowser ? item.check.name : item.finding.id), remedy: textOf("remedy", "") };
}

function Line(props: { state: Grade; text: string; remedy: string }) {
  const { t } = useText();
  const Icon = icons[props.state];
  return (
    <li className={classes["line"]} data-state={props.state}>
      <Icon size={17} aria-label={t(`system.panel.states.${props.state}`)} />
      <div>
        <div>{props.text}</div>
        {props.state !== "ok" && props.remedy !== "" && <div className={classes["remedy"]}>{props.remedy}</div>}
      </div>
    </li>
  );
}
