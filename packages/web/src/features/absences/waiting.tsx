import { useState } from "react";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { absencesLimits, decideAbsence, listWaiting, mostStatisticsDays } from "@rollcall/server/contract/absences";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { part } from "#core/part.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { type Absence, type Capacity, useCapacity, useWaitingAbsences } from "./absences.queries.ts";
import { overfullDays, spanOver } from "./calendar.ts";
import type { DeclineDialogProps } from "./declineDialog.tsx";
import { KindTag } from "./kindTag.tsx";
import { spanText } from "./texts.ts";
import classes from "./absences.module.css";

const DeclineDialog = part<DeclineDialogProps>(["absences"], () => import("./declineDialog.tsx"));

/** Absences that wait for the viewer's decision; nothing while none does. */
export function WaitingAbsences() {
  const { t } = useText();
  const query = useWaitingAbsences();
  const { announcement, announce } = useAnnouncement();
  const items = query.data?.items ?? [];
  const { data: capacity } = useCapacity(spanOver(items, mostStatisticsDays));
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (items.length === 0 && announcement.text === "") return null;
  return (
    <PanelSection title={t("absences.waiting.title", { count: items.length })} lead={t("absences.waiting.lead")}>
      <ActionList label={t("absences.waiting.label")} announcement={announcement}>
        {query.data?.complete === false && (
          <p className={classes["quiet"]}>{t("absences.waiting.incomplete", { count: items.length })}</p>
        )}
        {items.length === 0 && <p className={classes["quiet"]}>{t("absences.waiting.none")}</p>}
        <ul className={classes["list"]} data-waiting>
          {items.map((absence) => (
            <Waiting key={absence.id} absence={absence} capacity={capacity} onDone={announce} />
          ))}
        </ul>
      </ActionList>
    </PanelSection>
  );
}

interface WaitingProps {
  readonly absence: Absence;
  /** Of all days that something waits for, in one answer. */
  readonly capacity: Capacity | undefined;
  onDone(said: string): void;
}

function Waiting({ absence, capacity, onDone }: WaitingProps) {
  const { t, language } = useText();
  const queries = useQueryClient();
  const [declining, setDeclining] = useState(false);
  const [busy, setBusy] = useState(false);
  const { id, version, citizen, reason, createdAt, substitute } = absence;
  const nameOf = useNamer();
  const job = citizen.job.name;
  const name = nameOf(citizen, job);
  const decide = async (approve: boolean, why: string | null) => {
    try {
      await api.call(decideAbsence, { params: { id }, body: { version, approve, reason: why } });
      onDone(t(approve ? "absences.waiting.approved" : "absences.waiting.declined", { name }));
    } finally {
      await queries.invalidateQueries({ queryKey: [listWaiting.id] });
    }
  };
  const approve = async () => {
    setBusy(true);
    try {
      await decide(true, null);
    } catch (error) {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    }
    setBusy(false);
  };
  return (
    <li>
      <div className={classes["about"]}>
        <strong>
          {name} · {spanText(t, language, absence)}
        </strong>
        <span className={classes["line"]}>
          <span>{citizen.job.gradeLabel}</span>
          <KindTag {...(absence.kind === undefined ? {} : { kind: absence.kind })} />
          {substitute !== null && <span>{t("absences.substituteIs", { name: nameOf(substitute, job) })}</span>}
          <TimeAgo instant={createdAt} />
        </span>
        {reason != null && <span className={classes["quiet"]}>{reason}</span>}
        {capacity !== undefined && <Overfull absence={absence} capacity={capacity} />}
      </div>
      <div className={classes["actions"]}>
        <Button
          size="compact-md"
          loading={busy}
          aria-label={t("absences.waiting.approveNamed", { name })}
          onClick={() => void approve()}
        >
          {t("absences.waiting.approve")}
        </Button>
        <Button
          size="compact-md"
          variant="default"
          aria-haspopup="dialog"
          aria-label={t("absences.waiting.declineNamed", { name })}
          onClick={() => setDeclining(true)}
        >
          {t("absences.waiting.decline")}
        </Button>
      </div>
      {declining && (
        <DeclineDialog
          id={id}
          name={name}
          most={absencesLimits.reason}
          onYes={async (why) => await decide(false, why)}
          onClose={() => setDeclining(false)}
        />
      )}
    </li>
  );
}

/** On how many of the days more would be absent than the job wants. */
function Overfull({ absence: { firstDay, lastDay }, capacity }: { readonly absence: Absence; readonly capacity: Capacity }) {
  const { t } = useText();
  const days = overfullDays(capacity, 1).filter((day) => firstDay <= day && day <= lastDay);
  if (days.length === 0) return null;
  return <span className={classes["warning"]}>{t("absences.capacity.days", { count: days.length, most: capacity.most })}</span>;
}
