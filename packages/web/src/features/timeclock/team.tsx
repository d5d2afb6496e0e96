import { Link } from "@tanstack/react-router";
import { mostPlottedDays, mostShownDays, type TeamHours } from "@rollcall/server/contract/timeclock";
import { useText } from "#core/i18n.ts";
import { answered } from "#core/seen.ts";
import { calendarDay, calendarMonth, exactLength, playedTime } from "#core/time.ts";
import { useToday } from "#core/today.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { Plot } from "#ui/plots/plot.tsx";
import { ScrollArea } from "#ui/scroll.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { LoadPlot } from "./load.tsx";
import { daysIn, hoursAndMinutes, type Range } from "./range.ts";
import { TeamFilters } from "./teamFilters.tsx";
import { workedByDay, workedByMonth } from "./timeclock.plots.ts";
import { retryOf, type TeamFilter, useTeam } from "./timeclock.queries.ts";
import type { TimeclockSearch } from "./timeclock.search.ts";
import classes from "./timeclock.module.css";

interface TeamViewProps {
  readonly range: Range;
  readonly filter: TeamFilter;
  /** The days of the address. */
  readonly days: TimeclockSearch;
  onFilter(next: Pick<TimeclockSearch, "grade" | "group">): void;
}

/** The hours of colleagues: people down, days across. */
export function TeamView({ range, filter, days, onFilter }: TeamViewProps) {
  const { t } = useText();
  const query = useTeam(range, filter);
  const { data } = query;
  const all = daysIn(range);
  return (
    <>
      <TeamFilters filter={filter} onFilter={onFilter} />
      {query.isError && <ProblemNote error={query.error} onRetry={retryOf(query)} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["90%", "80%", "85%"]} />}
      {data?.people.length === 0 && <p className={classes["quiet"]}>{t("timeclock.team.nobody")}</p>}
      {data && !data.complete && (
        <p className={classes["quiet"]}>{t("timeclock.team.incomplete", { count: data.people.length })}</p>
      )}
      {data && data.people.length > 0 && <People people={data.people} all={all} days={days} />}
      {data && data.people.length > 0 && <Sums data={data} all={all} />}
      {data && data.people.length > 0 && <LoadPlot range={range} filter={filter} />}
    </>
  );
}

/** Of all people together, by day or, over a long time, by month. */
function Sums({ data, all }: { readonly data: TeamHours; readonly all: readonly string[] }) {
  const { language } = useText();
  if (all.length > mostPlottedDays) {
    const seconds = data.months.map((one) => one.seconds);
    const months = data.months.map(({ month }) => calendarMonth(month, language));
    return <Plot of={workedByMonth} answer={answered({ months, seconds })} />;
  }
  const sums = new Map(data.days.map(({ day, seconds }) => [day, seconds]));
  const byDay = { days: all, seconds: all.map((day) => sums.get(day) ?? 0) };
  return <Plot of={workedByDay} answer={answered(byDay)} />;
}

interface PeopleProps extends Pick<TeamHours, "people"> {
  readonly all: readonly string[];
  readonly days: TimeclockSearch;
}

function People({ people, all, days }: PeopleProps) {
  const { t, language } = useText();
  const nameOf = useNamer();
  const shown = all.length > mostShownDays ? [] : all;
  const now = useToday();
  const longest = Math.max(1, ...people.flatMap((one) => one.days.map(({ seconds }) => seconds)));
  return (
    <ScrollArea className={classes["scroll"]} label={t("timeclock.team.title")} sideways>
      <table className={classes["table"]} data-team>
        <caption className="rc-hidden">{t("timeclock.team.caption")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("timeclock.team.person")}</th>
            <th scope="col">{t("timeclock.team.sum")}</th>
            {shown.map((day) => (
              <th key={day} scope="col" className="rc-number" aria-current={day === now ? "date" : undefined}>
                <abbr title={calendarDay(day, language)}>{Number(day.slice(8))}</abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {people.map(({ id, name, job, seconds, targetHours, days: worked }) => {
            const sums = new Map(worked.map((one) => [one.day, one.seconds]));
            return (
              <tr key={id}>
                <th scope="row">
                  <Link to="/jobs/timeclock" search={{ ...days, person: String(id) }}>
                    {nameOf({ id, name }, job.name)}
                  </Link>
                  <span className={classes["quiet"]}>{job.gradeLabel}</span>
                </th>
                <td className="rc-number" title={exactLength(seconds)}>
                  {playedTime(seconds)}
                  {targetHours !== null && all.length === 7 && ` ${t("timeclock.ofTarget", { hours: targetHours })}`}
                </td>
                {shown.map((day) => {
                  const own = sums.get(day) ?? 0;
                  return (
                    <td
                      key={day}
                      className="rc-number"
                      title={own === 0 ? undefined : exactLength(own)}
                      style={{ "--heat": ((own / longest) * 0.35).toFixed(2) } as React.CSSProperties}
                    >
                      {own === 0 ? "" : hoursAndMinutes(own)}
                    </td>
                  );
                })}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollArea>
  );
}
