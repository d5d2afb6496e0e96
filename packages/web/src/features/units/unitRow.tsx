import { type CSSProperties, lazy, Suspense, useState } from "react";
import { Button } from "@mantine/core";
import { IconDoorEnter, IconDoorExit, IconHistory } from "@tabler/icons-react";
import type { Unit } from "@rollcall/server/contract/units";
import { useSearch } from "@tanstack/react-router";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { TimeAgo } from "#ui/small.tsx";
import type { ActivityProps } from "./activity.tsx";
import { dropTarget } from "./drag.ts";
import { Person } from "./person.tsx";
import { StatusButtons } from "./statusButtons.tsx";
import { StatusTag } from "./statusTag.tsx";
import type { CrewChanges } from "./units.queries.ts";
import type { UnitsSearch } from "./units.search.ts";
import classes from "./units.module.css";

const NamedIcon = lazy(() => import("#ui/namedIcon.tsx"));
const Activity = part<ActivityProps>(["units"], () => import("./activity.tsx"));

export interface UnitRowProps {
  readonly unit: Unit;
  /** Where people of the own job can be put. */
  readonly targets: readonly Unit[];
  readonly changes: CrewChanges;
}

/** One unit with its crew, and what the viewer can do with it. People are dropped on it. */
export function UnitRow({ unit, targets, changes }: UnitRowProps) {
  const { t } = useText();
  const [over, setOver] = useState(false);
  const { name, crew, status, may } = unit;
  const { unit: wanted } = useSearch({ strict: false }) as UnitsSearch;
  const drop = dropTarget(setOver, (person) => {
    if (person.own) void changes.join(unit);
    else void changes.move(person, unit);
  });
  const takes = targets.some(({ id }) => id === unit.id);
  return (
    <li
      className={classes["unit"]}
      data-unit={unit.id}
      data-grey={unit.grey || undefined}
      data-over={over || undefined}
      data-mine={unit.mine || undefined}
      data-wanted={String(unit.id) === wanted || undefined}
      {...(takes ? drop : {})}
    >
      <UnitSign unit={unit} />
      <div className={classes["about"]}>
        <div className={classes["line"]}>
          <strong>{name}</strong>
          <StatusTag status={status} />
          <span className={classes["quiet"]}>
            <TimeAgo instant={status.since} />
          </span>
          {unit.grey && <span className={classes["quiet"]}>{t("units.grey")}</span>}
          {unit.mine && <span className={classes["mark"]}>{t("units.yours")}</span>}
          {unit.temporary && <span className={classes["mark"]}>{t("units.temporary.mark")}</span>}
          {unit.restricted && <span className={classes["mark"]}>{t("units.access.mark")}</span>}
          {unit.isStatic && <span className={classes["mark"]}>{t("units.static")}</span>}
        </div>
        <Facts unit={unit} />
        <ul className={classes["crew"]} aria-label={t("units.crewOf", { name })}>
          {crew.map((member) => (
            <Person key={member.id} person={member} unit={unit} targets={targets} changes={changes} />
          ))}
        </ul>
        {unit.mine && may.includes("status") && <StatusButtons unit={unit} changes={changes} />}
      </div>
      <Actions unit={unit} changes={changes} />
    </li>
  );
}

function UnitSign({ unit: { initials, colour, icon } }: { readonly unit: Unit }) {
  return (
    <span className={classes["sign"]} style={{ "--unit": colour } as CSSProperties}>
      {icon !== null && (
        <Suspense fallback={null}>
          <NamedIcon name={icon} size={16} />
        </Suspense>
      )}
      <span>{initials}</span>
    </span>
  );
}

function Facts({ unit: { crew, minCrew, maxCrew, callsign, radio, homePostal, tags } }: { readonly unit: Unit }) {
  const { t } = useText();
  return (
    <div className={classes["facts"]}>
      <span>{t("units.crewCount", { count: crew.length, least: minCrew, most: maxCrew })}</span>
      {callsign !== null && <span>{callsign}</span>}
      {radio !== null && <span>{t("units.radio", { radio })}</span>}
      {homePostal !== null && <span>{t("units.home", { postal: homePostal })}</span>}
      {tags.length > 0 && <span>{tags.join(", ")}</span>}
    </div>
  );
}

function Actions({ unit, changes }: Pick<UnitRowProps, "unit" | "changes">) {
  const { t } = useText();
  const [asked, setAsked] = useState<"activity" | "status" | null>(null);
  const { name, may } = unit;
  return (
    <div className={classes["actions"]}>
      {may.includes("join") && (
        <Button
          size="compact-md"
          leftSection={<IconDoorEnter size={15} aria-hidden />}
          aria-label={t("units.joinNamed", { name })}
          disabled={changes.busy}
          onClick={() => void changes.join(unit)}
        >
          {t("units.join")}
        </Button>
      )}
      {may.includes("leave") && (
        <Button
          size="compact-md"
          variant="default"
          leftSection={<IconDoorExit size={15} aria-hidden />}
          disabled={changes.busy}
          onClick={() => void changes.leave()}
        >
          {t("units.leave")}
        </Button>
      )}
      {!unit.mine && may.includes("status") && unit.crew.length > 0 && (
        <Button
          size="compact-md"
          variant="default"
          aria-expanded={asked === "status"}
          aria-label={t("units.statusOf", { name })}
          onClick={() => setAsked(asked === "status" ? null : "status")}
        >
          {t("units.status")}
        </Button>
      )}
      <Button
        size="compact-md"
        variant="default"
        leftSection={<IconHistory size={15} aria-hidden />}
        aria-haspopup="dialog"
        aria-label={t("units.activity.open", { name })}
        onClick={() => setAsked("activity")}
      >
        {t("units.activity.title")}
      </Button>
      {asked === "status" && <StatusButtons unit={unit} changes={changes} />}
      {asked === "activity" && <Activity unit={unit} onClose={() => setAsked(null)} />}
    </div>
  );
}
