import { getRouteApi, Link } from "@tanstack/react-router";
import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import {
  closePeriod,
  getPeriod,
  type LaterChange,
  listLaterChanges,
  listPeriods,
  listPeriodSums,
  type Period,
  type PeriodDetail,
  periodExport,
  type PeriodSum,
  timeclockPermissions,
  timeclockTopic,
} from "@rollcall/server/contract/timeclock";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { absoluteTime, calendarDay, exactLength, playedTime } from "#core/time.ts";
import { showToast } from "#core/toasts.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { Guard } from "#ui/guard.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { ScrollArea } from "#ui/scroll.tsx";
import { Facts } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import classes from "./timeclock.module.css";

const route = getRouteApi("/jobs/timeclock/periods/$id");
const ROWS = 100;

export default function PeriodPage() {
  return (
    <Guard permission={timeclockPermissions.close}>
      <OnePeriod />
    </Guard>
  );
}

/** A pay period: what closing it would freeze, or what it has since. */
function OnePeriod() {
  const { t, language } = useText();
  const abilities = useAbilities();
  const { id } = route.useParams() as { id: string };
  useFollow(timeclockTopic);
  const query = useQuery({ ...queryOf(getPeriod, { params: { id: Number(id) } }), placeholderData: keepPreviousData });
  const { data } = query;
  const period = data?.period;
  const span =
    period === undefined
      ? t("timeclock.periods.one")
      : t("timeclock.periods.span", {
          first: calendarDay(period.firstDay, language),
          last: calendarDay(period.lastDay, language),
        });
  const exports = period?.state === "closed" && abilities.has(timeclockPermissions.export) && !tablet;
  return (
    <PanelPage
      title={span}
      lead={period === undefined ? t("timeclock.periods.lead") : t(`timeclock.periods.leads.${period.state}`)}
      actions={
        <div className={classes["bar"]}>
          {exports && <ExportButton kind={periodExport} filter={{ periodId: period.id }} />}
          <Button variant="default" renderRoot={(props) => <Link to="/jobs/timeclock/periods" {...props} />}>
            {t("timeclock.periods.all")}
          </Button>
        </div>
      }
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%"]} />}
      {data?.preview && <Preview period={data.period} preview={data.preview} span={span} />}
      {period && period.state !== "open" && <Closed period={period} carried={data.carried} />}
    </PanelPage>
  );
}

interface PreviewProps {
  readonly period: Period;
  readonly preview: NonNullable<PeriodDetail["preview"]>;
  readonly span: string;
}

function Preview({ period: { id, version, firstDay, lastDay, until, may }, preview, span }: PreviewProps) {
  const { t, language } = useText();
  const queries = useQueryClient();
  const { dialog, ask } = useConfirm();
  const looks = useAbilities().has(timeclockPermissions.view);
  const { people, seconds, openCorrections, running, estimated } = preview;
  const open = [
    ...(openCorrections === 0 ? [] : [t("timeclock.periods.openCorrections", { count: openCorrections })]),
    ...(running === 0 ? [] : [t("timeclock.periods.running", { count: running })]),
    ...(estimated === 0 ? [] : [t("timeclock.periods.estimated", { count: estimated })]),
  ];
  const close = async () => {
    await api.call(closePeriod, { params: { id }, body: { version } });
    showToast({ tone: "success", title: t("timeclock.periods.closed") });
    for (const operation of [getPeriod, listPeriods]) await queries.invalidateQueries({ queryKey: [operation.id] });
  };
  const question = {
    title: t("timeclock.periods.closeTitle"),
    text: t("timeclock.periods.closeText", { span, count: people }),
    lost: open,
    yes: t("timeclock.periods.close"),
  };
  return (
    <section className={classes["sum"]} data-preview>
      <p>
        <strong className="rc-number" title={exactLength(seconds)}>
          {playedTime(seconds)}
        </strong>{" "}
        {t("timeclock.periods.people", { count: people })}
      </p>
      {open.map((line) => (
        <p key={line}>{line}</p>
      ))}
      {looks && (
        <p>
          <Link to="/jobs/timeclock" search={{ view: "team", span: "free", day: firstDay, until: lastDay }}>
            {t("timeclock.periods.look")}
          </Link>
        </p>
      )}
      {may.includes("close") ? (
        <Button aria-haspopup="dialog" onClick={() => ask(question, close)}>
          {t("timeclock.periods.close")}
        </Button>
      ) : (
        <p className={classes["quiet"]}>{t("timeclock.periods.from", { time: absoluteTime(until, language) })}</p>
      )}
      {dialog}
    </section>
  );
}

function Closed({ period, carried }: Pick<PeriodDetail, "period" | "carried">) {
  const { t, language } = useText();
  const difference = useDifference();
  const { id, state, people, seconds, closedAt, closedBy } = period;
  const sums = useInfiniteQuery(pagesOf(listPeriodSums, { periodId: id }, ROWS));
  const later = useInfiniteQuery(pagesOf(listLaterChanges, { periodId: id }, ROWS));
  const worked = sums.data?.pages.flatMap((page) => page.items) ?? [];
  const changes = later.data?.pages.flatMap((page) => page.items) ?? [];
  const facts = [
    ...(seconds === null ? [] : [{ label: t("timeclock.periods.worked"), value: playedTime(seconds) }]),
    ...(carried === null || carried === 0 ? [] : [{ label: t("timeclock.periods.fromEarlier"), value: difference(carried) }]),
    ...(seconds === null || !carried ? [] : [{ label: t("timeclock.team.sum"), value: playedTime(seconds + carried) }]),
    ...(people === null ? [] : [{ label: t("timeclock.periods.persons"), value: String(people) }]),
    ...(closedAt === null ? [] : [{ label: t("timeclock.periods.closedAt"), value: absoluteTime(closedAt, language) }]),
    ...(closedAt === null
      ? []
      : [{ label: t("timeclock.periods.closedBy"), value: closedBy ?? t("timeclock.periods.closedByGone") }]),
  ];
  return (
    <>
      <Facts facts={facts} />
      <PanelSection title={t("timeclock.periods.laterTitle")} lead={t("timeclock.periods.laterLead")}>
        {later.isError && <ProblemNote error={later.error} onRetry={() => void later.refetch()} retrying={later.isFetching} />}
        {later.data && changes.length === 0 && <p className={classes["quiet"]}>{t("timeclock.periods.noLater")}</p>}
        {changes.length > 0 && <Changes changes={changes} />}
        {later.hasNextPage && <More query={later} />}
      </PanelSection>
      {state === "closed" && (
        <PanelSection title={t("timeclock.periods.sums")}>
          {sums.isError && <ProblemNote error={sums.error} onRetry={() => void sums.refetch()} retrying={sums.isFetching} />}
          {worked.length > 0 && <Sums sums={worked} />}
          {sums.hasNextPage && <More query={sums} />}
        </PanelSection>
      )}
    </>
  );
}

function More({ query }: { readonly query: { readonly isFetchingNextPage: boolean; fetchNextPage(): unknown } }) {
  const { t } = useText();
  return (
    <Button
      size="compact-sm"
      variant="default"
      className={classes["start"] ?? ""}
      loading={query.isFetchingNextPage}
      onClick={() => void query.fetchNextPage()}
    >
      {t("timeclock.more")}
    </Button>
  );
}

/** More or less time, with its sign and in words. */
function useDifference(): (seconds: number) => string {
  const { t } = useText();
  return (seconds) =>
    t(seconds < 0 ? "timeclock.periods.less" : "timeclock.periods.more", { time: playedTime(Math.abs(seconds)) });
}

/** How people of the own job, which all periods are of, are called. */
function useNameHere(): (person: { readonly id: number; readonly name: string }) => string {
  const nameOf = useNamer();
  const job = useActiveIdentity().character.job.name;
  return (person) => nameOf(person, job);
}

function Changes({ changes }: { readonly changes: readonly LaterChange[] }) {
  const { t, language } = useText();
  const difference = useDifference();
  const nameOf = useNameHere();
  return (
    <ul className={classes["list"]} data-later>
      {changes.map(({ id, citizenId, name, seconds, why, at, carried }) => (
        <li key={id}>
          <div className={classes["about"]}>
            <strong>{nameOf({ id: citizenId, name })}</strong>
            <span className={classes["quiet"]}>
              {[
                t(`timeclock.periods.why.${why}`),
                absoluteTime(at, language),
                carried === null
                  ? t("timeclock.periods.notCarried")
                  : t("timeclock.periods.carried", { day: calendarDay(carried, language) }),
              ].join(" · ")}
            </span>
          </div>
          <strong className="rc-number" title={exactLength(Math.abs(seconds))}>
            {difference(seconds)}
          </strong>
        </li>
      ))}
    </ul>
  );
}

function Sums({ sums }: { readonly sums: readonly PeriodSum[] }) {
  const { t } = useText();
  const difference = useDifference();
  const nameOf = useNameHere();
  return (
    <ScrollArea className={classes["scroll"]} label={t("timeclock.periods.sums")} sideways>
      <table className={classes["table"]} data-sums>
        <caption className="rc-hidden">{t("timeclock.periods.sums")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("timeclock.team.person")}</th>
            <th scope="col">{t("timeclock.periods.worked")}</th>
            <th scope="col">{t("timeclock.periods.fromEarlier")}</th>
            <th scope="col">{t("timeclock.team.sum")}</th>
          </tr>
        </thead>
        <tbody>
          {sums.map(({ id, name, seconds, laterSeconds, left }) => (
            <tr key={id}>
              <th scope="row">
                {nameOf({ id, name })}
                {left && <span className={classes["quiet"]}>{t("timeclock.periods.left")}</span>}
              </th>
              <td className="rc-number" title={exactLength(seconds)}>
                {playedTime(seconds)}
              </td>
              <td className="rc-number">{laterSeconds === 0 ? "" : difference(laterSeconds)}</td>
              <td className="rc-number" title={exactLength(seconds + laterSeconds)}>
                {playedTime(seconds + laterSeconds)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
