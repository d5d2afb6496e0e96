import { useEffect, useEffectEvent, useRef, type RefObject } from "react";
import { Button } from "@mantine/core";
import { IconClockPause, IconClockPlay } from "@tabler/icons-react";
import { dutyGraceMs, type DutyPerson, type OwnDuty } from "@rollcall/server/contract/duty";
import { useText } from "#core/i18n.ts";
import { useIsUp } from "#core/realtime/live.tsx";
import { clockTime } from "#core/time.ts";
import { JobTag } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { useChangeDuty } from "./duty.queries.ts";
import { ownDutyText } from "./ownText.ts";
import { useOwnDuty } from "./own.queries.ts";
import { Since } from "./since.tsx";
import { DutyStateText } from "./state.tsx";
import classes from "./duty.module.css";

/** The viewer's own duty, and going on and off duty by hand, or why that does not happen here. */
export default function OwnDutyPanel() {
  const { query, data: own } = useOwnDuty();
  const { t, language } = useText();
  const change = useChangeDuty();
  const area = useRef<HTMLDivElement>(null);
  const isUp = useIsUp();
  const { isPending, isError, reset } = change;
  const changed = own?.duty?.version;
  // What failed says nothing about another state of the duty, or about a line that is back.
  const forget = useEffectEvent((_version: number | undefined, isThere: boolean | null) => {
    if (isThere !== false) reset();
  });
  useEffect(() => forget(changed, isUp), [changed, isUp]);
  const keepFocus = useKeptFocus(area, isPending);
  if (query.isError && !own)
    return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!own) return null;
  return (
    <div className={classes["own"]} data-own-duty ref={area} tabIndex={-1}>
      <p className="rc-hidden" role="status">
        {ownDutyText(t, own.duty, language)}
      </p>
      <Now duty={own.duty} />
      <Changes
        own={own}
        busy={isPending}
        onChange={(job) => {
          keepFocus();
          change.mutate(job);
        }}
      />
      {isError && change.variables !== undefined && (
        <ProblemNote error={change.error} onRetry={() => change.mutate(change.variables)} retrying={isPending} />
      )}
    </div>
  );
}

/** The button that was pressed is replaced by its counterpart, which the keyboard then stands on. */
function useKeptFocus(area: RefObject<HTMLElement | null>, busy: boolean): () => void {
  const wanted = useRef(false);
  useEffect(() => {
    if (busy || !wanted.current) return;
    wanted.current = false;
    const { activeElement } = document;
    const isLost = activeElement === null || activeElement === document.body || area.current?.contains(activeElement);
    if (isLost) (area.current?.querySelector<HTMLElement>("button:not(:disabled)") ?? area.current)?.focus();
  }, [area, busy]);
  return () => (wanted.current = true);
}

/** What somebody of whom nobody knows whether they are there has to do, and until when. */
function Unsure({ duty: { state, seenAt } }: { readonly duty: DutyPerson }) {
  const { t, language } = useText();
  if (state === "on") return null;
  const time = clockTime(state === "missing" ? seenAt + dutyGraceMs : seenAt, language);
  return (
    <>
      <DutyStateText state={state} seenAt={seenAt} />
      <span className={classes["quiet"]}>{t(`duty.own.${state}`, { time })}</span>
    </>
  );
}

function Now({ duty }: { readonly duty: DutyPerson | null }) {
  const { t } = useText();
  if (duty === null) return <p className={classes["now"]}>{t("duty.own.off")}</p>;
  return (
    <div className={classes["now"]}>
      <span>{t("duty.own.on")}</span>
      <JobTag job={duty.job} />
      <span>
        {t("duty.own.since")} <Since instant={duty.since} />
      </span>
      <span className={classes["quiet"]}>{t(`duty.by.${duty.by}`)}</span>
      <Unsure duty={duty} />
    </div>
  );
}

interface ChangesProps {
  readonly own: OwnDuty;
  readonly busy: boolean;
  /** Null: off duty. */
  onChange(job: string | null): void;
}

function Changes({ own: { duty, jobs, mayEnd }, busy, onChange }: ChangesProps) {
  const { t } = useText();
  const others = jobs.filter(({ job }) => job !== duty?.job.name);
  const offered = others.filter(({ mayBegin }) => mayBegin);
  const refused = duty === null ? others.filter(({ reason }) => reason !== null) : [];
  const only = jobs.length === 1;
  return (
    <>
      {(offered.length > 0 || mayEnd) && (
        <div className={classes["buttons"]}>
          {duty !== null && mayEnd && (
            <Button variant="default" loading={busy} leftSection={<IconClockPause size={16} />} onClick={() => onChange(null)}>
              {t("duty.own.end")}
            </Button>
          )}
          {offered.map(({ job, label }) => (
            <Button
              key={job}
              variant={duty === null ? "filled" : "default"}
              loading={busy}
              leftSection={<IconClockPlay size={16} />}
              onClick={() => onChange(job)}
            >
              {duty !== null
                ? t("duty.own.change", { job: label })
                : only
                  ? t("duty.own.begin")
                  : t("duty.own.beginIn", { job: label })}
            </Button>
          ))}
        </div>
      )}
      {duty?.state === "on" && !mayEnd && <p className={classes["quiet"]}>{t("duty.own.gameEnds", { job: duty.job.label })}</p>}
      {refused.map(({ job, label, reason }) => (
        <p key={job} className={classes["quiet"]}>
          {t(`duty.own.refused.${reason}`, { job: label })}
        </p>
      ))}
      {jobs.length === 0 && <p className={classes["quiet"]}>{t("duty.own.noJob")}</p>}
    </>
  );
}
