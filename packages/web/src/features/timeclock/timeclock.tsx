import { useState } from "react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button, SegmentedControl } from "@mantine/core";
import { timeclockExport, timeclockPermissions } from "@rollcall/server/contract/timeclock";
import { useAbilities, useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { useToday } from "#core/today.ts";
import { Since, useOwnDuty } from "#features/duty/duty.api.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { PanelPage } from "#ui/panel.tsx";
import { PersonView } from "./person.tsx";
import { rangeOf } from "./range.ts";
import { RangeBar } from "./rangeBar.tsx";
import type { TargetsDialogProps } from "./targetsDialog.tsx";
import { TeamView } from "./team.tsx";
import type { TimeclockSearch } from "./timeclock.search.ts";
import classes from "./timeclock.module.css";

const TargetsDialog = part<TargetsDialogProps>(["timeclock"], () => import("./targetsDialog.tsx"));
const route = getRouteApi("/jobs/timeclock");

/** How long the viewer, or colleagues, worked. */
export default function TimeclockPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const abilities = useAbilities();
  const { character } = useActiveIdentity();
  const [targets, setTargets] = useState(false);
  const search: TimeclockSearch = route.useSearch();
  const today = useToday();
  const { span = "week", day = today, until } = search;
  const range = rangeOf(span, day, until);
  const go = (next: TimeclockSearch) => void navigate({ to: "/jobs/timeclock", search: { ...search, ...next }, replace: true });
  const sees = abilities.has(timeclockPermissions.view) || abilities.has(timeclockPermissions.approve);
  const isTeam = search.view === "team" && abilities.has(timeclockPermissions.view);
  const person = Number(search.person ?? character.id);
  const exports = abilities.has(timeclockPermissions.export) && abilities.has(timeclockPermissions.view) && !tablet;
  const { person: _person, view: _view, grade: _grade, group: _group, ...days } = search;
  return (
    <PanelPage
      title={t("timeclock.title")}
      lead={t("timeclock.titleHint")}
      actions={
        <div className={classes["bar"]}>
          {exports && <ExportButton kind={timeclockExport} filter={{ ...range, ...(isTeam ? {} : { citizenId: person }) }} />}
          {abilities.has(timeclockPermissions.view) && (
            <Button variant="default" renderRoot={(props) => <Link to="/jobs/timeclock/inactive" {...props} />}>
              {t("timeclock.inactive.title")}
            </Button>
          )}
          {abilities.has(timeclockPermissions.close) && (
            <Button variant="default" renderRoot={(props) => <Link to="/jobs/timeclock/periods" {...props} />}>
              {t("timeclock.periods.title")}
            </Button>
          )}
          {abilities.has(timeclockPermissions.targets) && (
            <Button variant="default" aria-haspopup="dialog" onClick={() => setTargets(true)}>
              {t("timeclock.targets.open")}
            </Button>
          )}
        </div>
      }
    >
      <OnDuty />
      <div className={classes["bar"]}>
        {sees && abilities.has(timeclockPermissions.view) && (
          <SegmentedControl
            aria-label={t("timeclock.whose")}
            value={isTeam ? "team" : "own"}
            data={[
              { value: "own", label: t("timeclock.own") },
              { value: "team", label: t("timeclock.team.title") },
            ]}
            onChange={(view) =>
              void navigate({ to: "/jobs/timeclock", search: view === "team" ? { ...days, view } : days, replace: true })
            }
          />
        )}
        <RangeBar span={span} range={range} onChange={go} />
      </div>
      {!isTeam && person !== character.id && (
        <Button
          variant="default"
          size="compact-sm"
          className={classes["start"] ?? ""}
          renderRoot={(props) => <Link to="/jobs/timeclock" search={{ ...days, view: "team" }} {...props} />}
        >
          {t("timeclock.back")}
        </Button>
      )}
      {isTeam ? (
        <TeamView
          range={range}
          filter={{ grade: numberIn(search.grade), group: numberIn(search.group) }}
          onFilter={go}
          days={days}
        />
      ) : (
        <PersonView key={person} id={person} isOwn={person === character.id} span={span} range={range} onDay={go} />
      )}
      {targets && <TargetsDialog onClose={() => setTargets(false)} />}
    </PanelPage>
  );
}

const numberIn = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** Since when the viewer works now; what runs is counted when it ends. */
function OnDuty() {
  const { t } = useText();
  const duty = useOwnDuty().data?.duty ?? null;
  return (
    <p className={classes["now"]}>
      {duty === null ? (
        t("timeclock.off")
      ) : (
        <>
          {t("timeclock.since")} <Since instant={duty.since} />
        </>
      )}
    </p>
  );
}
