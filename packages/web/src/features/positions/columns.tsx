import { useMemo, type ReactNode } from "react";
import { useActiveIdentity } from "#core/abilities.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { useJob } from "#core/jobs.tsx";
import type { Language } from "#core/preferences.ts";
import { absoluteTime, localeOf, shortAge } from "#core/time.ts";
import { DutyStateSign, DutyStateText } from "#features/duty/duty.api.ts";
import { WaypointButton } from "#features/ingame/ingame.api.ts";
import { CopyText } from "#ui/copy.tsx";
import type { Column } from "#ui/grid.types.ts";
import { JobTag, Plate, useServerNow } from "#ui/small.tsx";
import { distanceText, type PlaceRow } from "./places.rows.ts";
import classes from "./positions.module.css";

/** A place that was not reported again for this long is old. Milliseconds. */
export const OLD = 30_000;

/** Sets the viewer's waypoint to somebody's place; null where that is not possible. */
export type GoTo = ((row: PlaceRow) => void) | null;

/** `near`: the postal that distances are to. `hasPostals`: whether the map has any, so that places are named by them. */
export function usePlaceColumns(near: string | undefined, hasPostals: boolean, goTo: GoTo): readonly Column<PlaceRow>[] {
  const { t, language } = useText();
  return useMemo(() => {
    const all: (Column<PlaceRow> | false)[] = [
      {
        id: "name",
        header: t("positions.columns.name"),
        track: "minmax(120px, 2fr)",
        cell: (row) => <Name row={row} marked={near !== undefined} />,
      },
      {
        id: "job",
        header: t("positions.columns.job"),
        track: near === undefined ? "minmax(110px, 2fr)" : "minmax(110px, 3.2fr)",
        from: 720,
        cell: (row) => <JobOf row={row} />,
      },
      {
        id: "postal",
        header: t(hasPostals ? "positions.columns.postal" : "positions.columns.place"),
        track: hasPostals ? "minmax(100px, 0.8fr)" : "minmax(164px, 1fr)",
        cell: (row) => <Where row={row} goTo={goTo} />,
      },
      near !== undefined && {
        id: "distance",
        header: t("positions.columns.distance", { postal: near }),
        track: "minmax(128px, 0.8fr)",
        numeric: true,
        cell: (row) => row.distance !== null && distanceText(row.distance, localeOf(language)),
      },
      {
        id: "vehicle",
        header: t("positions.columns.vehicle"),
        track: "minmax(100px, 1fr)",
        from: 880,
        cell: (row) => (row.vehicle === null ? t("positions.onFoot") : <Plate plate={row.vehicle} />),
      },
      {
        id: "speed",
        header: t("positions.columns.speed"),
        track: "86px",
        from: 980,
        numeric: true,
        cell: (row) => speedText(row.speed, language),
      },
      { id: "age", header: t("positions.columns.age"), track: "92px", numeric: true, cell: (row) => <Age at={row.at} /> },
      {
        id: "state",
        header: t("positions.columns.state"),
        track: "minmax(104px, 1fr)",
        // The name has a mark of it too, and beside a distance there is no room for a grade otherwise.
        ...(near !== undefined && { from: 860 }),
        cell: (row) => <DutyStateText state={row.state} seenAt={null} />,
      },
    ];
    return all.filter((column) => column !== false);
  }, [t, language, near, hasPostals, goTo]);
}

/** Metres per second, as kilometres per hour. */
function speedText(speed: number | null, language: Language): string | null {
  if (speed === null) return null;
  const format = new Intl.NumberFormat(localeOf(language), { style: "unit", unit: "kilometer-per-hour" });
  return format.format(Math.round(speed * 3.6));
}

/** `marked`: with a sign of the state, for the column that says it is left out where room is short. */
function Name({ row: { state, name }, marked = false }: { readonly row: PlaceRow; readonly marked?: boolean }) {
  return (
    <span className={classes["name"]} data-state={state}>
      {marked && state !== "on" && <DutyStateSign state={state} />}
      {name}
    </span>
  );
}

/** A place has the number of the grade alone. */
function JobOf({ row: { job: name, grade } }: { readonly row: PlaceRow }) {
  const found = useJob(name)?.grades.find((one) => one.grade === grade);
  return <JobTag job={{ name, label: "", ...(found ? { gradeLabel: found.label } : {}) }} />;
}

/** The nearest postal, or the coordinates of a map without postals. */
function Where({ row, goTo }: { readonly row: PlaceRow; readonly goTo: GoTo }) {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const { postal, x, y, name } = row;
  const text = postal ?? `${Math.round(x)}, ${Math.round(y)}`;
  return (
    <span className={classes["where"]}>
      <CopyText text={text} label={t(postal === null ? "positions.coordinates" : "positions.columns.postal")} />
      {goTo && row.id !== character.id && <WaypointButton to={name} onSet={() => goTo(row)} />}
    </span>
  );
}

/** How long ago the place was reported; grey when that is old. */
function Age({ at }: { readonly at: number }) {
  const { t, language } = useText();
  const age = Math.max(0, useServerNow(1_000) - at);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={absoluteTime(at, language)}
      className={`rc-number ${classes["age"]}`}
      data-old={age > OLD}
    >
      {t("positions.ago", { age: shortAge(age) })}
    </time>
  );
}

export function narrowPlace(t: Translate, language: Language, row: PlaceRow, goTo: GoTo): readonly [ReactNode, ReactNode] {
  // The first line leads to the person, so what else can be pressed is in the second.
  return [
    <>
      <Name row={row} />
      <span className={classes["whole"]}>
        {row.state !== "on" && `${t(`duty.states.${row.state}`)} · `}
        <Age at={row.at} />
      </span>
    </>,
    <>
      <JobOf row={row} />
      <span className={`${classes["whole"]} ${classes["where"]}`}>
        {row.distance === null ? null : `${distanceText(row.distance, localeOf(language))} ·`}
        <Where row={row} goTo={goTo} />
      </span>
    </>,
  ];
}
