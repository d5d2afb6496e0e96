import { useEffect, useState } from "react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconCarSuv, IconPlus, IconSettings } from "@tabler/icons-react";
import { baseKinds, type FreePerson, type Unit, unitsExport, unitsPermissions } from "@rollcall/server/contract/units";
import { useAbilities, useWorkedJob } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { tablet } from "#core/preferences.ts";
import { ExportButton } from "#features/exports/exports.api.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { PanelPage, PanelSection } from "#ui/panel.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { dropTarget } from "./drag.ts";
import { Person } from "./person.tsx";
import type { TemporaryProps } from "./temporary.tsx";
import { UnitRow } from "./unitRow.tsx";
import { type CrewChanges, useCrewChanges, useUnits } from "./units.queries.ts";
import type { UnitsSearch } from "./units.search.ts";
import classes from "./units.module.css";

const Temporary = part<TemporaryProps>(["units", "fields"], () => import("./temporary.tsx"));
const route = getRouteApi("/units");

/** Units of the viewer's job by status, those of other jobs below, and who is on duty without one. */
export default function UnitsPage() {
  const { t } = useText();
  const navigate = useNavigate();
  const abilities = useAbilities();
  const search: UnitsSearch = route.useSearch();
  const query = useUnits(true);
  const go = (next: UnitsSearch) => void navigate({ to: "/units", search: next, replace: true });
  return (
    <PanelPage
      title={t("units.title")}
      lead={t("units.titleHint")}
      actions={
        <div className={classes["actions"]}>
          {abilities.has(unitsPermissions.export) && !tablet && <ExportButton kind={unitsExport} filter={{}} />}
          {abilities.has(unitsPermissions.manage) && <SetupLink />}
          {abilities.has(unitsPermissions.temporary) && (
            <Button
              variant="default"
              leftSection={<IconPlus size={16} aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => go({ temporary: "1" })}
            >
              {t("units.temporary.open")}
            </Button>
          )}
        </div>
      }
    >
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {query.isPending && <Bars widths={["60%", "80%", "50%"]} />}
      {query.data && <Board {...query.data} />}
      {search.temporary === "1" && abilities.has(unitsPermissions.temporary) && <Temporary onClose={() => go({})} />}
    </PanelPage>
  );
}

function SetupLink() {
  const { t } = useText();
  return (
    <Button
      variant="default"
      leftSection={<IconSettings size={16} aria-hidden />}
      renderRoot={(props) => <Link to="/units/setup" {...props} />}
    >
      {t("units.setup.open")}
    </Button>
  );
}

interface BoardProps {
  readonly items: readonly Unit[];
  readonly free: readonly FreePerson[];
  readonly onDuty: boolean;
}

function Board({ items, free, onDuty }: BoardProps) {
  const { t } = useText();
  const abilities = useAbilities();
  const job = useWorkedJob();
  const { announcement, announce } = useAnnouncement();
  const changes = useCrewChanges(announce);
  const { unit: wanted }: UnitsSearch = route.useSearch();
  useEffect(() => {
    if (wanted !== undefined) document.querySelector(`[data-unit="${wanted}"]`)?.scrollIntoView({ block: "center" });
  }, [wanted]);
  const live = items.filter(({ deleted }) => !deleted);
  const own = live.filter((unit) => unit.job.name === job);
  const others = live.filter((unit) => unit.job.name !== job);
  if (live.length === 0)
    return (
      <EmptyState
        icon={IconCarSuv}
        title={t("units.empty.title")}
        text={t(abilities.has(unitsPermissions.manage) ? "units.empty.text" : "units.empty.ask")}
        action={abilities.has(unitsPermissions.manage) && <SetupLink />}
      />
    );
  return (
    <ActionList label={t("units.title")} announcement={announcement}>
      {!onDuty && own.length > 0 && (
        <p className={classes["hint"]}>
          {t("units.offDuty")} <Link to="/duty">{t("units.toDuty")}</Link>
        </p>
      )}
      <Free people={free} targets={own} changes={changes} />
      {baseKinds.map((base) => (
        <Group
          key={base}
          title={t(`units.bases.${base}`)}
          units={own.filter(({ status }) => status.base === base)}
          {...{ own, changes }}
        />
      ))}
      {[...new Set(others.map((unit) => unit.job.name))].map((name) => {
        const units = others.filter((unit) => unit.job.name === name);
        return <Group key={name} title={units[0]!.job.label} units={units} own={own} changes={changes} />;
      })}
    </ActionList>
  );
}

interface GroupProps {
  readonly title: string;
  readonly units: readonly Unit[];
  readonly own: readonly Unit[];
  readonly changes: CrewChanges;
}

function Group({ title, units, own, changes }: GroupProps) {
  const { t } = useText();
  if (units.length === 0) return null;
  return (
    <PanelSection title={t("units.group", { title, count: units.length })}>
      <ul className={classes["list"]}>
        {units.map((unit) => (
          <UnitRow key={unit.id} unit={unit} targets={own} changes={changes} />
        ))}
      </ul>
    </PanelSection>
  );
}

interface FreeProps {
  readonly people: readonly FreePerson[];
  readonly targets: readonly Unit[];
  readonly changes: CrewChanges;
}

/** Who is on duty without a unit; somebody who is dropped here leaves theirs. */
function Free({ people, targets, changes }: FreeProps) {
  const { t } = useText();
  const [over, setOver] = useState(false);
  const drop = dropTarget(setOver, (person) => {
    if (person.own) void changes.leave();
    else void changes.move(person, null);
  });
  return (
    <PanelSection title={t("units.free.title", { count: people.length })} lead={t("units.free.lead")}>
      <div className={classes["free"]} data-over={over || undefined} {...drop}>
        {people.length === 0 && <p className={classes["quiet"]}>{t("units.free.none")}</p>}
        <ul className={classes["crew"]} aria-label={t("units.free.label")}>
          {people.map((person) => (
            <Person key={person.id} person={person} unit={null} targets={targets} changes={changes} />
          ))}
        </ul>
      </div>
    </PanelSection>
  );
}
