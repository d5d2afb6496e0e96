import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Button, Select } from "@mantine/core";
import { IconCalendarDollar } from "@tabler/icons-react";
import {
  getPayRules,
  listPeriods,
  type Period,
  type PeriodLength,
  periodLengths,
  putPayRules,
  timeclockPermissions,
  timeclockTopic,
} from "@rollcall/server/contract/timeclock";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { pagesOf, queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";
import { calendarDay, playedTime } from "#core/time.ts";
import { showToast } from "#core/toasts.ts";
import { offerUndo } from "#ui/confirm.tsx";
import { Guard } from "#ui/guard.tsx";
import { PanelPage } from "#ui/panel.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import classes from "./timeclock.module.css";

const PERIODS = 30;

export default function PeriodsPage() {
  return (
    <Guard permission={timeclockPermissions.close}>
      <Periods />
    </Guard>
  );
}

/** Pay periods of the job, the latest first. */
function Periods() {
  const { t } = useText();
  useFollow(timeclockTopic);
  const query = useInfiniteQuery(pagesOf(listPeriods, {}, PERIODS));
  const items = query.data?.pages.flatMap((page) => page.items);
  return (
    <PanelPage title={t("timeclock.periods.title")} lead={t("timeclock.periods.lead")}>
      <div className={classes["bar"]}>
        <Length />
        <Button variant="default" renderRoot={(props) => <Link to="/jobs/timeclock" {...props} />}>
          {t("timeclock.periods.hours")}
        </Button>
      </div>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["80%", "70%", "75%"]} />}
      {items?.length === 0 && (
        <EmptyState icon={IconCalendarDollar} title={t("timeclock.periods.none")} text={t("timeclock.periods.noneText")} />
      )}
      {items !== undefined && items.length > 0 && (
        <ul className={classes["list"]} data-periods>
          {items.map((period) => (
            <OnePeriod key={period.id} period={period} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button
          size="compact-sm"
          variant="default"
          className={classes["start"] ?? ""}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t("timeclock.more")}
        </Button>
      )}
    </PanelPage>
  );
}

/** How long periods are from the end of the present one; saved at once, with a way back. */
function Length() {
  const { t } = useText();
  const queries = useQueryClient();
  const query = useQuery(queryOf(getPayRules, {}));
  const [busy, setBusy] = useState(false);
  const save = async (length: PeriodLength | null, version: number) => {
    const saved = await api.call(putPayRules, { body: { version, length } });
    for (const { id } of [getPayRules, listPeriods]) await queries.invalidateQueries({ queryKey: [id] });
    return saved;
  };
  const change = async (length: PeriodLength | null) => {
    if (query.data === undefined) return;
    const before = query.data.length;
    setBusy(true);
    try {
      const { version } = await save(length, query.data.version);
      offerUndo(t, { title: t("timeclock.periods.saved"), undo: async () => await save(before, version) });
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
      await queries.invalidateQueries({ queryKey: [getPayRules.id] });
    }
    setBusy(false);
  };
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  return (
    <Select
      className={classes["grade"] ?? ""}
      label={t("timeclock.periods.length")}
      disabled={busy || query.data === undefined}
      data={[
        { value: "none", label: t("timeclock.periods.lengths.none") },
        ...periodLengths.map((value) => ({ value, label: t(`timeclock.periods.lengths.${value}`) })),
      ]}
      value={query.data === undefined ? null : (query.data.length ?? "none")}
      allowDeselect={false}
      onChange={(value) => value !== null && void change(periodLengths.find((one) => one === value) ?? null)}
    />
  );
}

function OnePeriod({ period }: { readonly period: Period }) {
  const { t, language } = useText();
  const { id, firstDay, lastDay, state, people, seconds, later, may } = period;
  const span = t("timeclock.periods.span", { first: calendarDay(firstDay, language), last: calendarDay(lastDay, language) });
  return (
    <li>
      <div className={classes["about"]}>
        <Link to={`/jobs/timeclock/periods/${id}`}>{span}</Link>
        <span className={classes["quiet"]}>
          {[
            t(`timeclock.periods.states.${may.includes("close") ? "ended" : state}`),
            ...(people === null ? [] : [t("timeclock.periods.people", { count: people })]),
            ...(later === 0 ? [] : [t("timeclock.periods.later", { count: later })]),
          ].join(" · ")}
        </span>
      </div>
      {seconds !== null && <strong className="rc-number">{playedTime(seconds)}</strong>}
    </li>
  );
}
