import { useEffect, useRef, useState } from "react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useQuery } from "@tanstack/react-query";
import { Button, Select } from "@mantine/core";
import { IconArrowLeft, IconClockPause } from "@tabler/icons-react";
import { dutyExport, dutyPermissions, dutyStatistics } from "@rollcall/server/contract/duty";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { queryOf } from "#core/queries.ts";
import { playedTime } from "#core/time.ts";
import { answered } from "#core/seen.ts";
import { useProfileAddress } from "#features/citizens/citizens.api.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { Guard } from "#ui/guard.tsx";
import { PanelPage } from "#ui/panel.tsx";
import { Plot } from "#ui/plots/plot.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import type { HoursSearch } from "./duty.search.ts";
import { type Hours, hoursByDay, onDutyByHour } from "./hours.plots.ts";
import { isUnseen, seenJobs } from "./people.ts";
import type { UnseenProps } from "./unseen.tsx";
import classes from "./hours.module.css";

const route = getRouteApi("/duty/hours");

const Unseen = part<UnseenProps>(["duty", "errors"], () => import("./unseen.tsx"));

/** As many people are shown at first. */
const FIRST = 15;

export default function HoursPage() {
  return (
    <Guard permission={dutyPermissions.statistics}>
      <HoursOfJob />
    </Guard>
  );
}

/** How long people of a job were on duty in the last days, and how many were at which hour. */
function HoursOfJob() {
  const { t } = useText();
  const identity = useActiveIdentity();
  const { character } = identity;
  const label = useJobLabels();
  const { job = character.job.name } = route.useSearch() as HoursSearch;
  const navigate = useNavigate();
  const unseen = isUnseen(job, identity);
  const query = useQuery({ ...queryOf(dutyStatistics, { query: { job } }), staleTime: 0, enabled: !unseen });
  const { data, error } = query;
  return (
    <PanelPage
      title={t("duty.hours.title", { job: label(job) })}
      lead={data ? t("duty.hours.lead", { zone: data.zone, days: data.days.length }) : t("duty.hours.about")}
      actions={<Actions job={job} unseen={unseen} />}
    >
      {unseen && <Unseen job={label(job)} onOther={() => void navigate({ to: "/duty/hours", replace: true })} />}
      {query.isLoading && <Bars widths={["40%", "90%", "80%", "70%"]} />}
      {error && <ProblemNote error={error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {data && data.people.length > 0 && <Shown data={data} />}
      {data?.people.length === 0 && (
        <EmptyState icon={IconClockPause} title={t("duty.hours.empty.title")} text={t("duty.hours.empty.text")} />
      )}
    </PanelPage>
  );
}

/** The other jobs that the viewer sees, the export, and the way back. */
function Actions({ job, unseen }: { readonly job: string; readonly unseen: boolean }) {
  const { t } = useText();
  const identity = useActiveIdentity();
  const navigate = useNavigate();
  const label = useJobLabels();
  const mayExport = useAbilities().has(dutyPermissions.export) && !tablet && !unseen;
  const jobs = [...new Set([job, ...seenJobs(identity)])];
  return (
    <div className={classes["actions"]}>
      {jobs.length > 1 && (
        <Select
          aria-label={t("duty.columns.job")}
          data={jobs.map((value) => ({ value, label: label(value) }))}
          value={job}
          allowDeselect={false}
          onChange={(value) => value !== null && void navigate({ to: "/duty/hours", search: { job: value }, replace: true })}
        />
      )}
      {mayExport && <ExportButton kind={dutyExport} filter={{ job }} />}
      <Button
        variant="default"
        leftSection={<IconArrowLeft size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/duty" {...(unseen ? {} : { search: { job } })} {...props} />}
      >
        {t("duty.hours.back")}
      </Button>
    </div>
  );
}

function Shown({ data }: { readonly data: Hours }) {
  const { t } = useText();
  const { days, knownDays, people, complete } = data;
  const answer = answered(data);
  const total = people.reduce((sum, { seconds }) => sum + seconds, 0);
  return (
    <>
      <p className={classes["total"]}>{t("duty.hours.total", { count: people.length, time: playedTime(total) })}</p>
      {knownDays < days.length && (
        <p className={classes["quiet"]}>{t("duty.hours.known", { count: knownDays, days: days.length })}</p>
      )}
      {!complete && <p className={classes["quiet"]}>{t("duty.hours.incomplete")}</p>}
      <People people={people} />
      <div className={classes["plots"]}>
        <Plot of={onDutyByHour} answer={answer} />
        <Plot of={hoursByDay} answer={answer} />
      </div>
    </>
  );
}

function People({ people }: Pick<Hours, "people">) {
  const { t } = useText();
  const addressOf = useProfileAddress();
  const [all, setAll] = useState(false);
  const list = useRef<HTMLOListElement>(null);
  // The button is gone then, and with it where the keyboard stood.
  useEffect(() => {
    const next = all ? list.current?.children[FIRST] : undefined;
    const target = next?.querySelector("a") ?? next;
    if (target instanceof HTMLElement) target.focus();
  }, [all]);
  const longest = people[0]?.seconds ?? 1;
  return (
    <section aria-label={t("duty.hours.byPerson")}>
      <h2 className={classes["heading"]}>{t("duty.hours.byPerson")}</h2>
      <ol ref={list} className={classes["people"]}>
        {people.slice(0, all ? people.length : FIRST).map(({ id, name, seconds }) => (
          <li key={id} data-person={id} tabIndex={-1}>
            <Name name={name} href={addressOf(id)} />
            <span className={classes["bar"]} aria-hidden>
              <span style={{ width: `${(seconds / longest) * 100}%` }} />
            </span>
            <span className="rc-number">{playedTime(seconds)}</span>
          </li>
        ))}
      </ol>
      {!all && people.length > FIRST && (
        <Button size="compact-sm" variant="default" onClick={() => setAll(true)}>
          {t("duty.hours.all", { count: people.length })}
        </Button>
      )}
    </section>
  );
}

function Name({ name, href }: { readonly name: string; readonly href: string | null | undefined }) {
  return href ? (
    <Link className={classes["name"]} to={href}>
      {name}
    </Link>
  ) : (
    <span className={classes["name"]}>{name}</span>
  );
}
