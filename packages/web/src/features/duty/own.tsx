import { Button } from "@mantine/core";
import { IconClockPause, IconClockPlay } from "@tabler/icons-react";
import type { DutyPerson, OwnDuty } from "@rollcall/server/contract/duty";
import { useText } from "#core/i18n.ts";
import { JobTag } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { useChangeDuty } from "./duty.queries.ts";
import { useOwnDuty } from "./own.queries.ts";
import { Since } from "./since.tsx";
import { DutyStateText } from "./state.tsx";
import classes from "./duty.module.css";

/** The viewer's own duty, and going on and off duty by hand, or why that does not happen here. */
export default function OwnDutyPanel() {
  const { query, data: own } = useOwnDuty();
  const change = useChangeDuty();
  if (query.isError && !own)
    return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (!own) return null;
  return (
    <div className={classes["own"]} data-own-duty>
      <Now duty={own.duty} />
      <Changes own={own} busy={change.isPending} onChange={(job) => change.mutate(job)} />
      {change.isError && <ProblemNote error={change.error} />}
    </div>
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
      {duty.state !== "on" && (
        <>
          <DutyStateText state={duty.state} seenAt={duty.seenAt} />
          <span className={classes["quiet"]}>{t(`duty.own.${duty.state}`)}</span>
        </>
      )}
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
