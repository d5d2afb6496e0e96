import { useState } from "react";
import { Button } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { PanelSection } from "#ui/panel.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useOwnAbsences } from "./absences.queries.ts";
import { AbsenceRows } from "./rows.tsx";
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
        <AbsenceRows absences={coming} onCancelled={() => announce(t("absences.own.cancelled"))} />
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
      {all && <AbsenceRows absences={earlier} />}
      {all && query.hasNextPage && (
        <Button size="compact-sm" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("absences.more")}
        </Button>
      )}
    </PanelSection>
  );
}
