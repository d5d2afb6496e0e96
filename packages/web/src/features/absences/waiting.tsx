import { useState } from "react";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { absencesLimits, decideAbsence, listWaiting } from "@rollcall/server/contract/absences";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { part } from "#core/part.ts";
import { asProblem } from "#core/problem.ts";
import { api } from "#core/services.ts";
import { showToast } from "#core/toasts.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { PanelSection } from "#ui/panel.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import { type Absence, useCapacity, useWaitingAbsences } from "./absences.queries.ts";
import { overfullDays } from "./calendar.ts";
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
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (items.length === 0 && announcement.text === "") return null;
  return (
    <PanelSection title={t("absences.waiting.title", { count: items.length })} lead={t("absences.waiting.lead")}>
      <ActionList label={t("absences.waiting.label")} announcement={announcement}>
        {items.length === 0 && <p className={classes["quiet"]}>{t("absences.waiting.none")}</p>}
        <ul className={classes["list"]} data-waiting>
          {items.map((absence) => (
            <Waiting key={absence.id} absence={absence} onDone={announce} />
          ))}
        </ul>
      </ActionList>
    </PanelSection>
  );
}

function Waiting({ absence, onDone }: { readonly absence: Absence; onDone(said: string): void }) {
  const { t, language } = useText();
  const queries = useQueryClient();
  const [declining, setDeclining] = useState(false);
  const [busy, setBusy] = useState(false);
  const { id, version, citizen, reason, createdAt, substitute } = absence;
  const { name } = citizen;
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
          {substitute !== null && <span>{t("absences.substituteIs", { name: substitute.name })}</span>}
          <TimeAgo instant={createdAt} />
        </span>
        {reason != null && <span className={classes["quiet"]}>{reason}</span>}
        <Overfull absence={absence} />
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
function Overfull({ absence: { firstDay, lastDay } }: { readonly absence: Absence }) {
  const { t } = useText();
  const { data } = useCapacity({ firstDay, lastDay });
  const days = data === undefined ? [] : overfullDays(data, 1);
  if (data === undefined || days.length === 0) return null;
  return <span className={classes["warning"]}>{t("absences.capacity.days", { count: days.length, most: data.most })}</span>;
}
