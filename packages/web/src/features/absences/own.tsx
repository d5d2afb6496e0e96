import { useState } from "react";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { cancelAbsence, listOwn } from "@rollcall/server/contract/absences";
import { useText } from "#core/i18n.ts";
import { api } from "#core/services.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { Confirm } from "#ui/confirm.tsx";
import { PanelSection } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { type Absence, today, useOwnAbsences } from "./absences.queries.ts";
import { KindTag } from "./kindTag.tsx";
import { spanText } from "./texts.ts";
import classes from "./absences.module.css";

/** The own absences: those that are not over, and the earlier ones on demand. */
export function OwnAbsences() {
  const { t } = useText();
  const { query, items } = useOwnAbsences();
  const [all, setAll] = useState(false);
  const { announcement, announce } = useAnnouncement();
  const coming = items.filter(({ may }) => may.includes("cancel")).toSorted((a, b) => (a.firstDay < b.firstDay ? -1 : 1));
  const earlier = items.filter(({ may }) => !may.includes("cancel"));
  return (
    <PanelSection title={t("absences.own.title")}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "45%"]} />}
      {query.data && coming.length === 0 && <p className={classes["quiet"]}>{t("absences.own.none")}</p>}
      <ActionList label={t("absences.own.title")} announcement={announcement}>
        <Rows absences={coming} onCancelled={() => announce(t("absences.own.cancelled"))} />
      </ActionList>
      {earlier.length > 0 && (
        <Button
          className={classes["more"] ?? ""}
          size="compact-sm"
          variant="default"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {t(all ? "absences.own.less" : "absences.own.earlier", { count: earlier.length })}
        </Button>
      )}
      {all && <Rows absences={earlier} />}
      {all && query.hasNextPage && (
        <Button size="compact-sm" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("absences.more")}
        </Button>
      )}
    </PanelSection>
  );
}

function Rows({ absences, onCancelled }: { readonly absences: readonly Absence[]; onCancelled?(): void }) {
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
  const { decision, reason, state, substitute } = absence;
  return (
    <div className={classes["about"]}>
      <strong>{spanText(t, language, absence)}</strong>
      <span className={classes["line"]}>
        <span data-state={state} className={classes["state"]}>
          {t(`absences.states.${state}`)}
        </span>
        <KindTag {...(absence.kind === undefined ? {} : { kind: absence.kind })} />
        {substitute !== null && <span>{t("absences.substituteIs", { name: substitute.name })}</span>}
      </span>
      {reason != null && <span className={classes["quiet"]}>{reason}</span>}
      {decision?.by != null && (
        <span className={classes["quiet"]}>
          {decision.reason === null
            ? t("absences.own.decidedBy", { name: decision.by })
            : t("absences.own.decidedWhy", { name: decision.by, reason: decision.reason })}
        </span>
      )}
    </div>
  );
}

function Cancel({ absence, onCancelled }: { readonly absence: Absence; onCancelled?(): void }) {
  const { t, language } = useText();
  const queries = useQueryClient();
  const [asking, setAsking] = useState(false);
  const { id, version, firstDay, state } = absence;
  const span = spanText(t, language, absence);
  const running = state === "approved" && firstDay < today();
  const cancel = async () => {
    try {
      await api.call(cancelAbsence, { params: { id }, body: { version } });
      onCancelled?.();
    } finally {
      await queries.invalidateQueries({ queryKey: [listOwn.id] });
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
            text: t(running ? "absences.cancel.textRunning" : "absences.cancel.text", { span }),
            yes: t(running ? "absences.cancel.end" : "absences.cancel.open"),
          }}
          onYes={cancel}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
