import { useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { Button } from "@mantine/core";
import { IconAlertTriangle, IconCheck, IconLoader, IconPlayerPlay } from "@tabler/icons-react";
import { listScheduled, runScheduled, scheduleDurations } from "@rollcall/server/contract/scheduler";
import { type Translate, useText } from "#core/i18n.ts";
import type { Language } from "#core/preferences.ts";
import { queryOf } from "#core/queries.ts";
import { api } from "#core/services.ts";
import { useSeenQuery } from "#core/seen.ts";
import { absoluteTime, lengthOf, weekdayName } from "#core/time.ts";
import { PanelPage } from "#ui/panel.tsx";
import { Plot } from "#ui/plots/plot.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { DeadTasks } from "./dead.tsx";
import { durationsPlot } from "./durations.plot.ts";
import { hasFailed, inOrder, ownTime, rhythmOf, type Scheduled } from "./words.ts";
import classes from "./scheduler.module.css";

type Run = Scheduled["runs"][number];
type Kept = Scheduled["kept"][number];

/** Reload interval of the page. Milliseconds. */
const EVERY = 10_000;
const EVERY_WHILE_RUNNING = 1_000;

const isRunning = (job: Scheduled) => job.runs[0]?.outcome === "running" || job.runs[0]?.outcome === "requested";

/** The schedules: when they run, their last outcome, and a button for an extra run. */
export default function SchedulerPage() {
  const { t } = useText();
  const query = useQuery({
    ...queryOf(listScheduled, {}),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.jobs.some(isRunning) ? EVERY_WHILE_RUNNING : EVERY),
  });
  const [error, setError] = useState<unknown>(null);

  const run = async (job: string) => {
    setError(null);
    try {
      await api.call(runScheduled, { params: { job } });
    } catch (problem) {
      setError(problem);
    }
    await query.refetch();
  };

  return (
    <PanelPage
      title={t("web.places.scheduler")}
      lead={query.data ? t("scheduler.lead", { zone: query.data.zone }) : t("web.places.schedulerHint")}
    >
      <DeadTasks />
      {query.isPending && <Bars widths={["80%", "70%", "80%", "60%"]} />}
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {error !== null && <ProblemNote error={error} />}
      <ul className={classes["jobs"]}>
        {inOrder(query.data?.jobs ?? []).map((job) => (
          <li key={job.id} data-failed={hasFailed(job) || undefined}>
            <Job job={job} zone={query.data?.zone ?? "UTC"} onRun={() => void run(job.id)} />
          </li>
        ))}
      </ul>
    </PanelPage>
  );
}

interface Reader {
  readonly t: Translate;
  readonly language: Language;
  /** That of the cron expressions. */
  readonly zone: string;
}

/** "daily at 04:17, 05:17 your time"; an unusual expression as it is. */
function rhythmText({ t, language, zone }: Reader, job: Scheduled): string {
  const rhythm = rhythmOf(job);
  if (rhythm === null) return job.schedule ?? "";
  if (rhythm.kind === "every") return t("scheduler.every", { time: lengthOf(rhythm.ms, language) });
  if (rhythm.kind === "hourly") return t("scheduler.rhythm.hourly", { minute: String(rhythm.minute).padStart(2, "0") });
  const words = t(`scheduler.rhythm.${rhythm.kind}`, {
    ...rhythm,
    ...(rhythm.kind === "weekly" ? { weekday: weekdayName(rhythm.weekday, language) } : {}),
  });
  const own = job.next === null ? rhythm.time : ownTime(rhythm.time, job.next, zone);
  return own === rhythm.time ? words : t("scheduler.rhythm.yours", { words, time: own });
}

function Job({ job, zone, onRun }: { job: Scheduled; zone: string; onRun: () => void }) {
  const { t, language } = useText();
  const [feature = "", name = ""] = job.id.split(".");
  const title = t(`${feature}.panel.jobs.${name}`, { defaultValue: "" });
  const runs = job.runs.filter(({ outcome }) => outcome !== "waiting");
  return (
    <article className={classes["job"]}>
      <div className={classes["head"]}>
        <div>
          <h2>{title === "" ? job.id : title}</h2>
          <span className={classes["quiet"]}>
            {rhythmText({ t, language, zone }, job)}
            {job.next !== null && <> · {t("scheduler.next", { time: absoluteTime(job.next, language) })}</>}
          </span>
        </div>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerPlay size={14} />}
          loading={isRunning(job)}
          onClick={onRun}
          aria-label={t("scheduler.runOf", { job: title === "" ? job.id : title })}
        >
          {t("scheduler.run")}
        </Button>
      </div>
      {job.kept.length > 0 && (
        <ul className={classes["kept"]}>
          {job.kept.map((one) => (
            <li key={one.kind}>
              <KeptFor feature={feature} kept={one} />
            </li>
          ))}
        </ul>
      )}
      <Runs feature={feature} job={job} title={title === "" ? job.id : title} runs={runs} />
    </article>
  );
}

interface RunsProps {
  readonly feature: string;
  readonly job: Scheduled;
  readonly title: string;
  readonly runs: readonly Run[];
}

/** The last run; opened, the ones before it, how long those of the last 30 days took, and the names for config.yaml and logs. */
function Runs({ feature, job, title, runs }: RunsProps) {
  const { t } = useText();
  const [open, setOpen] = useState(false);
  const answer = useSeenQuery(queryOf(scheduleDurations, { params: { job: job.id } }));
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {runs[0] ? <Outcome feature={feature} run={runs[0]} /> : <span className={classes["quiet"]}>{t("scheduler.never")}</span>}
      </summary>
      <p className={classes["quiet"]}>
        <code>{job.id}</code>
        {job.schedule !== null && (
          <>
            {" · "}
            <code>{job.schedule}</code>
          </>
        )}
      </p>
      {open && <Plot of={durationsPlot} answer={answer} title={t("scheduler.plot.titleOf", { job: title })} />}
      <ul className={classes["runs"]}>
        {runs.slice(1).map((run) => (
          <li key={run.id}>
            <Outcome feature={feature} run={run} />
          </li>
        ))}
      </ul>
    </details>
  );
}

const textKeyOf = (feature: string, kind: string) => `${feature}.panel.kept.${kind}`;

/** What is removed automatically, and after how long. */
function KeptFor({ feature, kept: { kind, keptMs, by } }: { feature: string; kept: Kept }) {
  const { t, language } = useText();
  const key = textKeyOf(feature, kind);
  const time = lengthOf(keptMs, language);
  return (
    <>
      {t(`${key}.what`)}: {t(`${key}.time`, { time, defaultValue: time })}
      {by !== null && <> ({t("scheduler.by", { name: by })})</>}
    </>
  );
}

/** How many rows of each kind one run removed; nothing for a schedule that removes nothing. */
function RemovedIn({ feature, removed }: { feature: string; removed: Run["removed"] }) {
  const { t, language } = useText();
  const number = new Intl.NumberFormat(language);
  const affected = removed.filter(({ count }) => count > 0);
  if (removed.length === 0) return null;
  if (affected.length === 0) return <> · {t("scheduler.nothingRemoved")}</>;
  const kinds = affected.map(({ kind, count }) => `${t(`${textKeyOf(feature, kind)}.what`)} ${number.format(count)}`);
  return <> · {t("scheduler.removed", { kinds: kinds.join(", ") })}</>;
}

function Outcome({ feature, run }: { feature: string; run: Run }) {
  const { t } = useText();
  const open = run.outcome === "running" || run.outcome === "requested";
  const Icon = run.outcome === "done" ? IconCheck : open ? IconLoader : IconAlertTriangle;
  return (
    <span className={classes["outcome"]} data-outcome={run.outcome}>
      <Icon size={15} aria-hidden />
      <span>
        {t(`scheduler.outcomes.${run.outcome}`)} <TimeAgo instant={run.startedAt} />
        {run.finishedAt !== null && <> · {t("scheduler.took", { ms: run.finishedAt - run.startedAt })}</>}
        {run.owner !== "" && <> · {t("scheduler.on", { owner: run.owner.slice(-6) })}</>}
        <RemovedIn feature={feature} removed={run.removed} />
        {run.message !== null && <span className={classes["message"]}>{run.message}</span>}
      </span>
    </span>
  );
}
