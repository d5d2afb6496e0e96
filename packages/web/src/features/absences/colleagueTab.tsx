import { useState } from "react";
import { Button } from "@mantine/core";
import { IconCalendarPlus } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useAbsencesOf } from "./absences.queries.ts";
import type { RequestDialogProps } from "./requestDialog.tsx";
import { AbsenceRows } from "./rows.tsx";
import classes from "./absences.module.css";

const RequestDialog = part<RequestDialogProps>(["absences"], () => import("./requestDialog.tsx"));

/** The absences of a colleague, as far as the viewer sees them, and a new one for those who may enter it. */
export default function ColleagueAbsences({ citizenId, name }: { readonly citizenId: number; readonly name: string }) {
  const { t } = useText();
  const { query, items, enter } = useAbsencesOf(citizenId);
  const { announcement, announce } = useAnnouncement();
  const [entering, setEntering] = useState(false);
  return (
    <div className={classes["tab"]}>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "45%"]} />}
      {enter && (
        <Button
          variant="default"
          leftSection={<IconCalendarPlus size={15} aria-hidden />}
          aria-haspopup="dialog"
          onClick={() => setEntering(true)}
        >
          {t("absences.enter.open")}
        </Button>
      )}
      {query.data && items.length === 0 && <p className={classes["quiet"]}>{t("absences.enter.none")}</p>}
      <ActionList label={t("absences.title")} announcement={announcement}>
        <AbsenceRows absences={items} onCancelled={() => announce(t("absences.own.cancelled"))} />
      </ActionList>
      {query.hasNextPage && (
        <Button size="compact-sm" variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("absences.more")}
        </Button>
      )}
      {entering && <RequestDialog person={{ id: citizenId, name }} onClose={() => setEntering(false)} />}
    </div>
  );
}
