import { useMemo, type ReactNode } from "react";
import { type Translate, useText } from "#core/i18n.ts";
import type { Column } from "#ui/grid.types.ts";
import { PersonMarks } from "#ui/personMarks.tsx";
import { TimeAgo } from "#ui/small.tsx";
import type { Listed } from "./colleagues.queries.ts";
import { LabelTag } from "./labelTag.tsx";
import { fullName } from "./names.ts";
import classes from "./colleagues.module.css";

export const dutyText = (t: Translate, { onDuty }: Pick<Listed, "onDuty">): string =>
  onDuty === null ? t("colleagues.duty.off") : t(`colleagues.duty.${onDuty.state}`);

/** One line: what does not fit is cut, and the profile has all of them. */
function Labels({ labels = [] }: Pick<Listed, "labels">) {
  return (
    <span className={classes["row"]}>
      {labels.map((label) => (
        <LabelTag key={label.id} label={label} />
      ))}
    </span>
  );
}

function Name({ row }: { readonly row: Listed }) {
  return (
    <span className={classes["named"]}>
      <span className={classes["tagName"]}>{fullName(row)}</span>
      <PersonMarks citizenId={row.id} job={row.job.name} />
    </span>
  );
}

/** Two lines in place of columns on a narrow screen. */
export function narrowColleague(t: Translate, row: Listed): readonly [ReactNode, ReactNode] {
  return [
    <Name key="name" row={row} />,
    <>
      <span>{row.job.gradeLabel}</span>
      <span>{dutyText(t, row)}</span>
    </>,
  ];
}

/** The first column names the colleague; the others can be hidden. */
export function useColleagueColumns(): readonly Column<Listed>[] {
  const { t } = useText();
  return useMemo(
    () => [
      {
        id: "name",
        order: "name",
        header: t("colleagues.columns.name"),
        track: "minmax(140px, 2fr)",
        cell: (row) => <Name row={row} />,
      },
      {
        id: "rank",
        order: "rank",
        header: t("colleagues.columns.grade"),
        track: "minmax(100px, 1.2fr)",
        cell: (row) => row.job.gradeLabel,
      },
      { id: "duty", header: t("colleagues.columns.duty"), track: "minmax(90px, 0.9fr)", cell: (row) => dutyText(t, row) },
      {
        id: "labels",
        header: t("colleagues.columns.labels"),
        track: "minmax(160px, 2.4fr)",
        from: 640,
        cell: (row) => <Labels {...(row.labels === undefined ? {} : { labels: row.labels })} />,
      },
      {
        id: "since",
        order: "since",
        header: t("colleagues.columns.since"),
        track: "120px",
        from: 760,
        numeric: true,
        cell: (row) => (row.since === null ? t("colleagues.sinceUnknown") : <TimeAgo instant={row.since} />),
      },
    ],
    [t],
  );
}
