import { useState } from "react";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { cancelAbsence, listOf, listOwn } from "@rollcall/server/contract/absences";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import { Confirm } from "#ui/confirm.tsx";
import { type Absence, today } from "./absences.queries.ts";
import { KindTag } from "./kindTag.tsx";
import { spanText } from "./texts.ts";
import classes from "./absences.module.css";

interface RowsProps {
  readonly absences: readonly Absence[];
  onCancelled?(): void;
}

/** Absences of one person, with what the viewer can do with each. */
export function AbsenceRows({ absences, onCancelled }: RowsProps) {
  if (absences.length === 0) return null;
  return (
    <ul className={classes["list"]}>
      {absences.map((absence) => (
        <li key={absence.id}>
          <About absence={absence} />
          {absence.may.includes("cancel") && <Cancel absence={absence} {...(onCancelled ? { onCancelled } : {})} />}
        </li>
      ))}
    </ul>
  );
}

function About({ absence }: { readonly absence: Absence }) {
  const { t, language } = useText();
  const { citizen, decision, reason, state, substitute } = absence;
  const nameOf = useNamer();
  return (
    <div className={classes["about"]}>
      <strong>{spanText(t, language, absence)}</strong>
      <span className={classes["line"]}>
        <span data-state={state} className={classes["state"]}>
          {t(`absences.states.${state}`)}
        </span>
        <KindTag {...(absence.kind === undefined ? {} : { kind: absence.kind })} />
        {substitute !== null && <span>{t("absences.substituteIs", { name: nameOf(substitute, citizen.job.name) })}</span>}
      </span>
      {reason != null && <span className={classes["quiet"]}>{reason}</span>}
      {decision != null && <Decided {...decision} />}
    </div>
  );
}

/** Who was removed for good leaves the reason behind. */
function Decided({ by, reason }: NonNullable<Absence["decision"]>) {
  const { t } = useText();
  if (by === null && reason === null) return null;
  const text =
    reason === null
      ? t("absences.own.decidedBy", { name: by })
      : by === null
        ? t("absences.own.declinedWhy", { reason })
        : t("absences.own.decidedWhy", { name: by, reason });
  return <span className={classes["quiet"]}>{text}</span>;
}

function Cancel({ absence, onCancelled }: { readonly absence: Absence; onCancelled?(): void }) {
  const { t, language } = useText();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { id, version, citizen, firstDay, state } = absence;
  const name = useNamer()(citizen, citizen.job.name);
  const span = spanText(t, language, absence);
  const isOwn = useActiveIdentity().character.id === citizen.id;
  const running = state === "approved" && firstDay < today();
  const cancel = async () => {
    try {
      await api.call(cancelAbsence, { params: { id }, body: { version } });
      onCancelled?.();
    } finally {
      await queries.invalidateQueries({ queryKey: [isOwn ? listOwn.id : listOf.id] });
    }
  };
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-haspopup="dialog"
        aria-label={t(running ? "absences.cancel.endNamed" : "absences.cancel.named", { span })}
        onClick={() => setAsking(true)}
      >
        {t(running ? "absences.cancel.end" : "absences.cancel.open")}
      </Button>
      {asking && (
        <Confirm
          question={{
            title: t("absences.cancel.title"),
            text: isOwn
              ? t(running ? "absences.cancel.textRunning" : "absences.cancel.text", { span })
              : t("absences.cancel.textOther", { span, name }),
            yes: t(running ? "absences.cancel.end" : "absences.cancel.open"),
            no: t("absences.cancel.keep"),
          }}
          onYes={cancel}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
