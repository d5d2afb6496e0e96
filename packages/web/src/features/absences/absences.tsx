import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconCalendarPlus, IconCategory, IconChartBar } from "@tabler/icons-react";
import { absencesExport, absencesPermissions } from "@rollcall/server/contract/absences";
import { useAbilities } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { PanelPage } from "#ui/panel.tsx";
import { today } from "./absences.queries.ts";
import type { AbsencesSearch } from "./absences.search.ts";
import { TeamCalendar } from "./teamCalendar.tsx";
import { OwnAbsences } from "./own.tsx";
import type { RequestDialogProps } from "./requestDialog.tsx";
import { WaitingAbsences } from "./waiting.tsx";
import classes from "./absences.module.css";

const RequestDialog = part<RequestDialogProps>(["absences"], () => import("./requestDialog.tsx"));
const route = getRouteApi("/absences");

/** What waits for the viewer, the own absences, and who of the job is absent. */
export default function AbsencesPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const abilities = useAbilities();
  const search: AbsencesSearch = route.useSearch();
  const { ask, ...rest } = search;
  const month = search.month ?? today().slice(0, 7);
  const go = (next: AbsencesSearch) => void navigate({ to: "/absences", search: next, replace: true });
  const mayList = abilities.has(absencesPermissions.list);
  return (
    <PanelPage
      title={t("absences.title")}
      lead={t("absences.titleHint")}
      actions={
        <div className={classes["actions"]}>
          {mayList && abilities.has(absencesPermissions.export) && !tablet && (
            <ExportButton kind={absencesExport} filter={{ month }} />
          )}
          {mayList && (
            <Button
              variant="default"
              leftSection={<IconChartBar size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/absences/statistics" {...props} />}
            >
              {t("absences.statistics.open")}
            </Button>
          )}
          {abilities.has(absencesPermissions.kinds) && (
            <Button
              variant="default"
              leftSection={<IconCategory size={16} aria-hidden />}
              renderRoot={(props) => <Link to="/absences/kinds" {...props} />}
            >
              {t("absences.kinds.open")}
            </Button>
          )}
          <Button
            leftSection={<IconCalendarPlus size={16} aria-hidden />}
            aria-haspopup="dialog"
            onClick={() => go({ ...rest, ask: "1" })}
          >
            {t("absences.ask.open")}
          </Button>
        </div>
      }
    >
      <WaitingAbsences />
      <OwnAbsences />
      {mayList && <TeamCalendar month={month} onMonth={(next) => go({ month: next })} />}
      {ask === "1" && <RequestDialog onClose={() => go(rest)} />}
    </PanelPage>
  );
}
