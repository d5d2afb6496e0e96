import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconCircleX, IconRefresh } from "@tabler/icons-react";
import type { OutputOf } from "@rollcall/server/contract/core";
import { doctor, clientAddress, systemStatus } from "@rollcall/server/contract/system";
import { systemClock } from "#core/clock.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { queryOf } from "#core/queries.ts";
import { useHasConnection, useConnectionStatus } from "#core/realtime/live.tsx";
import { transport } from "#core/services.ts";
import { shortAge } from "#core/time.ts";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { Release } from "#features/updates/updates.api.ts";
import { Refusals } from "./refused.tsx";
import classes from "./status.module.css";

type Finding = OutputOf<typeof doctor>["findings"][number];
type State = Finding["state"];
const icons = { ok: IconCircleCheck, warning: IconAlertTriangle, problem: IconCircleX } as const;
const EVERY = 15_000;

/** The health of all parts as the server and this browser see them. */
export default function StatusPage() {
  const { t } = useText();
  const examined = useQuery({ ...queryOf(doctor, {}), staleTime: 0 });
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
      <Parts />
      <Release />
      <PanelSection title={t("system.panel.browser")} lead={t("system.panel.browserLead")}>
        <BrowserChecks />
      </PanelSection>
      <PanelSection title={t("system.panel.findings")}>
        {examined.isPending && <Bars widths={["70%", "60%", "80%"]} />}
        {examined.isError && <ProblemNote error={examined.error} onRetry={() => void examined.refetch()} />}
        <ul className={classes["list"]}>
          {examined.data?.findings.map((finding, index) => (
            <Line key={`${finding.id} ${index}`} state={finding.state} {...textsOf(t, finding)} />
          ))}
        </ul>
      </PanelSection>
      <Refusals />
    </PanelPage>
  );
}

function textsOf(t: Translate, { id, params }: Finding): { text: string; remedy: string } {
  const [feature = "", name = ""] = id.split(".");
  const part = (key: string, fallback: string) =>
    String(t(`${feature}.findings.${name}.${key}`, { ...params, defaultValue: fallback }));
  return { text: part("text", id), remedy: part("remedy", "") };
}

function Line(props: { state: State; text: string; remedy: string }) {
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

function Parts() {
  const { t } = useText();
  const query = useQuery({ ...queryOf(systemStatus, {}), staleTime: 0, refetchInterval: EVERY });
  const stateOf = (state: string): State => (state === "ok" ? "ok" : state === "degraded" ? "warning" : "problem");
  return (
    <PanelSection title={t("system.panel.parts")}>
      {query.isPending && <Bars widths={["40%", "40%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} />}
      {query.data && (
        <>
          <p className={classes["quiet"]}>
            Rollcall {query.data.version} · {t("system.panel.started")} <TimeAgo instant={query.data.startedAt} />
          </p>
          <ul className={classes["list"]}>
            {query.data.parts.map(({ part, state, age, reason }) => (
              <Line
                key={part}
                state={stateOf(state)}
                text={t("system.panel.part", {
                  part: t(`system.panel.partNames.${part}`, { defaultValue: part }),
                  state: t(`system.panel.conditions.${state}`),
                  age: shortAge(age),
                })}
                remedy={reason ?? ""}
              />
            ))}
          </ul>
        </>
      )}
    </PanelSection>
  );
}

/** A larger difference between the clocks is reported. Milliseconds. */
const CLOCK_TOLERANCE = 30_000;

function BrowserChecks() {
  const { t } = useText();
  const seen = useQuery({ ...queryOf(clientAddress, {}), staleTime: 0 });
  const hasConnection = useHasConnection();
  // The offset is known after the first response; it hardly changes while the page is open.
  const skew = transport.serverNow() - systemClock.now();
  if (seen.isPending) return <Bars widths={["60%", "50%"]} />;
  if (seen.isError) return <ProblemNote error={seen.error} onRetry={() => void seen.refetch()} />;
  const { address, forwarded, ignored, publicUrl } = seen.data;
  const here = location.origin;
  const wanted = new URL(publicUrl).origin;
  const secure = location.protocol === "https:";
  const textOf = (name: string, params: Record<string, string | number> = {}) => ({
    text: t(`system.panel.${name}.text`, params),
    remedy: String(t(`system.panel.${name}.remedy`, { ...params, defaultValue: "" })),
  });
  return (
    <ul className={classes["list"]}>
      <Line
        state={here === wanted ? "ok" : "warning"}
        {...(here === wanted ? textOf("addressOk", { here }) : textOf("address", { here, wanted }))}
      />
      <Line
        state={secure || location.hostname === "localhost" ? "ok" : "warning"}
        {...(secure ? textOf("httpsOk") : textOf("https"))}
      />
      {hasConnection && <LiveConnection textOf={textOf} />}
      <Line
        state={ignored ? "warning" : "ok"}
        {...(ignored ? textOf("proxyIgnored", { address }) : textOf(forwarded ? "proxyOk" : "direct", { address }))}
      />
      <Line
        state={Math.abs(skew) > CLOCK_TOLERANCE ? "warning" : "ok"}
        {...(Math.abs(skew) > CLOCK_TOLERANCE ? textOf("clock", { age: shortAge(Math.abs(skew)) }) : textOf("clockOk"))}
      />
    </ul>
  );
}

type FindingText = (name: string) => { text: string; remedy: string };

function LiveConnection({ textOf }: { textOf: FindingText }) {
  const up = useConnectionStatus().state === "up";
  return <Line state={up ? "ok" : "problem"} {...textOf(up ? "socketOk" : "socket")} />;
}
