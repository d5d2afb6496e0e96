import { useState } from "react";
import { Button, Progress } from "@mantine/core";
import type { PersonHours } from "@rollcall/server/contract/timeclock";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { exactLength, playedTime } from "#core/time.ts";
import { useToday } from "#core/today.ts";
import { answered } from "#core/seen.ts";
import { PanelSection } from "#ui/panel.tsx";
import { Plot } from "#ui/plots/plot.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { Entries } from "./entries.tsx";
import type { MissingDialogProps } from "./missingDialog.tsx";
import { daysIn, type Range, type Span } from "./range.ts";
import { DayTimeline } from "./timeline.tsx";
import { workedByDay } from "./timeclock.plots.ts";
import { retryOf, useEntries, useHours } from "./timeclock.queries.ts";
import type { TimeclockSearch } from "./timeclock.search.ts";
import classes from "./timeclock.module.css";

const MissingDialog = part<MissingDialogProps>(["timeclock"], () => import("./missingDialog.tsx"));

/** The first day that is shown, or today where that is one of them. */
const dayFor = ({ firstDay, lastDay }: Range, today: string): string =>
  today >= firstDay && today <= lastDay ? today : firstDay;

interface PersonViewProps {
  readonly id: number;
  readonly isOwn: boolean;
  readonly span: Span;
  readonly range: Range;
  onDay(next: Pick<TimeclockSearch, "span" | "day">): void;
}

/** The hours of one person: the sum, a bar for each day, and the entries. */
export function PersonView({ id, isOwn, span, range, onDay }: PersonViewProps) {
  const { t } = useText();
  const today = useToday();
  const [missing, setMissing] = useState(false);
  const hours = useHours(id, range);
  const { query, items } = useEntries(id, range);
  const { data } = hours;
  return (
    <>
      {hours.isError && <ProblemNote error={hours.error} onRetry={retryOf(hours)} retrying={hours.isFetching} />}
      {hours.isPending && <Bars widths={["40%", "90%", "80%"]} />}
      {data && <Sum hours={data} isOwn={isOwn} span={span} />}
      {data && (span === "day" ? <DayTimeline day={data} entries={items} /> : <ByDay hours={data} range={range} />)}
      <PanelSection title={t("timeclock.entries.title")}>
        {data && isOwn && (
          <Button
            variant="default"
            className={classes["start"] ?? ""}
            aria-haspopup="dialog"
            data-missing
            onClick={() => setMissing(true)}
          >
            {t("timeclock.missing.open")}
          </Button>
        )}
        {data && missing && <MissingDialog day={dayFor(range, today)} zone={data.zone} onClose={() => setMissing(false)} />}
        {query.isError && <ProblemNote error={query.error} onRetry={retryOf(query)} retrying={query.isFetching} />}
        {query.data && items.length === 0 && <p className={classes["quiet"]}>{t("timeclock.nothing")}</p>}
        {data && <Entries entries={items} zone={data.zone} onDay={(day) => onDay({ span: "day", day })} />}
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
      </PanelSection>
    </>
  );
}

function Sum({ hours, isOwn, span }: { readonly hours: PersonHours; readonly isOwn: boolean; readonly span: Span }) {
  const { t } = useText();
  const { seconds, targetHours, name, job } = hours;
  const time = playedTime(seconds);
  const target = span === "week" ? targetHours : null;
  return (
    <section className={classes["sum"]} data-sum>
      {!isOwn && (
        <h2>
          {name} · {job.gradeLabel}
        </h2>
      )}
      <p>
        <strong className="rc-number" title={exactLength(seconds)}>
          {time}
        </strong>{" "}
        {target === null ? t("timeclock.sum") : t("timeclock.ofTarget", { hours: target })}
      </p>
      {target !== null && (
        <Progress
          value={Math.min(100, (seconds / (target * 3600)) * 100)}
          aria-label={t("timeclock.progress", { time, hours: target })}
        />
      )}
    </section>
  );
}

function ByDay({ hours, range }: { readonly hours: PersonHours; readonly range: Range }) {
  const sums = new Map(hours.days.map(({ day, seconds }) => [day, seconds]));
  const days = daysIn(range);
  const data = { days, seconds: days.map((day) => sums.get(day) ?? 0) };
  const answer = answered(data);
  return <Plot of={workedByDay} answer={answer} />;
}
