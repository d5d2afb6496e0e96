import { Link } from "@tanstack/react-router";
import { ActionIcon, Button } from "@mantine/core";
import { IconAlertTriangle, IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import { colleaguesPermissions } from "@rollcall/server/contract/colleagues";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { ScrollArea } from "#ui/scroll.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useWidth } from "#ui/width.ts";
import { type Absence, today, useCapacity, useMonth } from "./absences.queries.ts";
import { type CalendarDay, daysOf, monthAfter, overfullDays, type PersonRow, rowsOf } from "./calendar.ts";
import { KindTag } from "./kindTag.tsx";
import { kindName, monthName, spanText } from "./texts.ts";
import classes from "./calendar.module.css";

const NARROW = 720;
const isNarrow = (width: number) => width < NARROW;

interface MonthProps {
  /** `YYYY-MM`. */
  readonly month: string;
  onMonth(month: string): void;
}

/** Who of the job is absent on which day of a month. */
export function TeamCalendar({ month, onMonth }: MonthProps) {
  const { t, language } = useText();
  const { ref, width } = useWidth<HTMLDivElement>(isNarrow);
  const { query, items } = useMonth(month);
  const days = daysOf(month);
  const rows = rowsOf(items, days);
  const name = monthName(month, language);
  return (
    // Wider than a section of fields.
    <section className={classes["section"]}>
      <h2>{t("absences.calendar.title")}</h2>
      <p className={classes["quiet"]}>{t("absences.calendar.lead")}</p>
      <div ref={ref}>
        <div className={classes["bar"]}>
          <Step label={t("absences.calendar.before")} run={() => onMonth(monthAfter(month, -1))}>
            <IconChevronLeft size={16} />
          </Step>
          <strong aria-live="polite">{name}</strong>
          <Step label={t("absences.calendar.after")} run={() => onMonth(monthAfter(month, 1))}>
            <IconChevronRight size={16} />
          </Step>
        </div>
        {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
        {query.isPending && <Bars widths={["90%", "80%", "85%"]} />}
        {query.data && rows.length === 0 && <p className={classes["quiet"]}>{t("absences.calendar.none", { month: name })}</p>}
        {rows.length > 0 && (isNarrow(width) ? <AsList rows={rows} /> : <AsTable rows={rows} days={days} name={name} />)}
        {query.hasNextPage && (
          <Button
            size="compact-sm"
            variant="default"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t("absences.more")}
          </Button>
        )}
      </div>
    </section>
  );
}

function Step({ label, run, children }: { readonly label: string; run(): void; readonly children: React.ReactNode }) {
  return (
    <ActionIcon variant="default" size="lg" aria-label={label} title={label} onClick={run}>
      {children}
    </ActionIcon>
  );
}

function Person({ citizen }: { readonly citizen: Absence["citizen"] }) {
  const opens = useAbilities().has(colleaguesPermissions.list);
  const name = useNamer()(citizen, citizen.job.name);
  return opens ? <Link to={`/jobs/colleagues/${citizen.id}`}>{name}</Link> : <span>{name}</span>;
}

interface TableProps {
  readonly rows: readonly PersonRow[];
  readonly days: readonly CalendarDay[];
  readonly name: string;
}

function AsTable({ rows, days, name }: TableProps) {
  const { t } = useText();
  const now = today();
  return (
    <ScrollArea className={classes["scroll"]} label={t("absences.calendar.title")} sideways>
      <table className={classes["table"]} data-calendar>
        <caption className="rc-hidden">{t("absences.calendar.caption", { month: name })}</caption>
        <colgroup>
          <col className={classes["names"]} />
          {days.map(({ day, weekend }) => (
            <col key={day} data-weekend={weekend || undefined} data-today={day === now || undefined} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <th scope="col">{t("absences.calendar.person")}</th>
            {days.map(({ day, number }) => (
              <th key={day} scope="col" className="rc-number" aria-current={day === now ? "date" : undefined}>
                {number}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.citizen.id}>
              <th scope="row">
                <Person citizen={row.citizen} />
              </th>
              {row.cells.map(({ absence, length }, at) => (
                <td key={absence?.id ?? `free ${at}`} colSpan={length}>
                  {absence !== null && <Bar absence={absence} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <Counts days={days} />
      </table>
    </ScrollArea>
  );
}

/** A person's neighbouring days; what it is stands in words where it has no room. */
function Bar({ absence }: { readonly absence: Absence }) {
  const { t, language } = useText();
  const what = kindName(t, absence) ?? t("absences.absent");
  const state = t(`absences.states.${absence.state}`);
  const whole = `${what}, ${state}, ${spanText(t, language, absence)}`;
  return (
    <span className={classes["span"]} data-state={absence.state} title={whole}>
      <span aria-hidden>{what}</span>
      <span className="rc-hidden">{whole}</span>
    </span>
  );
}

/** How many are absent on each day, marked where that is more than the job wants. */
function Counts({ days }: { readonly days: readonly CalendarDay[] }) {
  const { t } = useText();
  const { data } = useCapacity({ firstDay: days[0]!.day, lastDay: days.at(-1)!.day });
  if (data === undefined) return null;
  const counts = new Map(data.days.map(({ day, absent }) => [day, absent]));
  const overfull = new Set(overfullDays(data, 0));
  return (
    <tfoot>
      <tr>
        <th scope="row">{t("absences.calendar.absent")}</th>
        {days.map(({ day }) => (
          <td key={day} className="rc-number" data-overfull={overfull.has(day) || undefined}>
            {counts.get(day) ?? ""}
            {overfull.has(day) && (
              <>
                <IconAlertTriangle size={12} aria-hidden />
                <span className="rc-hidden">{t("absences.calendar.tooMany", { most: data.most })}</span>
              </>
            )}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

/** In place of the table where there is no room for the days of a month. */
function AsList({ rows }: { readonly rows: readonly PersonRow[] }) {
  const { t, language } = useText();
  return (
    <ul className={classes["list"]} data-calendar>
      {rows.map(({ citizen, absences }) => (
        <li key={citizen.id}>
          <Person citizen={citizen} />
          <ul>
            {absences.map((absence) => (
              <li key={absence.id}>
                <span>{spanText(t, language, absence)}</span>
                {absence.state !== "approved" && <span>{t(`absences.states.${absence.state}`)}</span>}
                <KindTag {...(absence.kind === undefined ? {} : { kind: absence.kind })} />
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
