import { Fragment, lazy, Suspense, useEffect, useState, type ReactNode } from "react";
import { IconCheck } from "@tabler/icons-react";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import { transport } from "#core/services.ts";
import { absoluteTime, relativeTime } from "#core/time.ts";
import { contrast, jobColour, parse } from "./accent.ts";
import { gradeBeside } from "./names.ts";
import classes from "./small.module.css";

const NamedIcon = lazy(() => import("./namedIcon.tsx"));

export interface JobLike {
  readonly name: string;
  readonly label: string;
  readonly gradeLabel?: string;
  readonly colour?: string;
  /** `<set>:<icon>`. */
  readonly icon?: string;
  readonly logo?: { readonly thumbnail: string };
}

/** Whether a colour is too light for white text. */
const isPale = (colour: string) => contrast(parse(colour), [255, 255, 255]) < 3;

/** The symbol of a job: its logo, else its icon in its colour, else a dot. */
function JobSign({ job }: { job: Pick<JobLike, "name" | "colour" | "icon" | "logo"> }) {
  const { logo, icon, colour = jobColour(job.name) } = job;
  if (logo)
    return (
      <img className={classes["jobLogo"]} src={logo.thumbnail} width={17} height={17} alt="" loading="lazy" decoding="async" />
    );
  if (icon === undefined) return <span className={classes["dot"]} style={{ background: colour }} aria-hidden />;
  return (
    <span className={classes["jobIcon"]} data-pale={isPale(colour) || undefined} style={{ background: colour }}>
      <Suspense fallback={null}>
        <NamedIcon name={icon} size={13} />
      </Suspense>
    </span>
  );
}

/** A job with its current label and appearance, and the grade if there is one. */
export function JobTag({ job }: { job: JobLike }) {
  const now = useJob(job.name);
  const label = (now ?? job).label || job.name;
  const grade = gradeBeside(label, job.gradeLabel);
  return (
    <span className={classes["job"]} title={grade === null ? label : `${label} · ${grade}`}>
      <JobSign job={now ?? job} />
      <span>
        {label}
        {grade !== null && <span className={classes["grade"]}> · {grade}</span>}
      </span>
    </span>
  );
}

/** A job as an option of a select, with its name as the value. */
export function jobOption({
  option: { value, label },
  checked,
}: {
  option: { value: string; label: string };
  checked?: boolean;
}) {
  return (
    <>
      <JobTag job={{ name: value, label }} />
      {checked && <IconCheck size={14} className={classes["checked"]} aria-hidden />}
    </>
  );
}

export function Plate({ plate }: { plate: string }) {
  return <span className={classes["plate"]}>{plate}</span>;
}

/** Names and values, one below the other; a value of null is shown as unknown. */
export function Facts({ facts }: { facts: readonly { label: string; value: ReactNode }[] }) {
  const { t } = useText();
  return (
    <dl className={classes["facts"]}>
      {facts.map(({ label, value }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value ?? <span title={t("web.unknown")}>–</span>}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

export function Section(props: {
  title: string;
  count?: number;
  /** Of no use on paper. */
  screenOnly?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={classes["section"]} data-screen-only={props.screenOnly || undefined}>
      <h3>
        {props.title}
        {props.count !== undefined && <span className={classes["count"]}>{props.count}</span>}
      </h3>
      {props.children}
    </section>
  );
}

/** The keys of a shortcut, as `Ctrl+K` or `g c`. */
export function Keys({
  keys,
  hint = false,
}: {
  keys: string;
  /** Only a hint: hidden where a keyboard is unlikely. */ hint?: boolean;
}) {
  const parts = keys.includes("+") ? keys.split("+") : keys.split(" ");
  return (
    <span className={`${classes["keys"]} ${hint ? classes["hint"] : ""}`}>
      {parts.map((part) => (
        <kbd key={part} className={classes["kbd"]}>
          {part}
        </kbd>
      ))}
    </span>
  );
}

/** Below this a time counts as the same. Milliseconds. */
const FRESH = 1_000;

/** Ticks every `interval` milliseconds with the server's time. */
export function useServerNow(interval: number): number {
  const [now, setNow] = useState(() => transport.serverNow());
  useEffect(() => {
    let cancel = () => {};
    const tick = () => {
      const at = transport.serverNow();
      // What was drawn just now is not drawn again.
      setNow((before) => (Math.abs(at - before) < FRESH ? before : at));
      cancel = systemClock.after(interval, tick);
    };
    tick();
    return () => cancel();
  }, [interval]);
  return now;
}

/** Relative time, with the absolute one on hover. */
export function TimeAgo({ instant }: { instant: number }) {
  const { language } = useText();
  const now = useServerNow(20_000);
  return (
    <time dateTime={new Date(instant).toISOString()} title={absoluteTime(instant, language)} className="rc-number">
      {relativeTime(Math.min(instant, now), now, language)}
    </time>
  );
}
