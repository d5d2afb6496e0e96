import { useMemo, type ReactNode } from "react";
import type { DutyPerson } from "@rollcall/server/contract/duty";
import { type Translate, useText } from "#core/i18n.ts";
import { useNamer } from "#features/colleagues/colleagues.api.ts";
import type { Column } from "#ui/grid.types.ts";
import { PersonMarks } from "#ui/personMarks.tsx";
import { JobTag } from "#ui/small.tsx";
import { Since } from "./since.tsx";
import { DutyStateText, LastSign } from "./state.tsx";
import classes from "./duty.module.css";

export function useDutyColumns(): readonly Column<DutyPerson>[] {
  const { t } = useText();
  return useMemo(
    () => [
      {
        id: "name",
        header: t("duty.columns.name"),
        track: "minmax(130px, 2fr)",
        cell: (row) => <Name row={row} />,
      },
      {
        id: "job",
        header: t("duty.columns.job"),
        track: "minmax(130px, 2fr)",
        cell: (row) => <JobTag job={row.job} />,
      },
      {
        id: "since",
        header: t("duty.columns.since"),
        track: "minmax(160px, 1fr)",
        numeric: true,
        cell: (row) => <Since instant={row.since} />,
      },
      {
        id: "state",
        header: t("duty.columns.state"),
        track: "minmax(130px, 2.3fr)",
        cell: (row) => <DutyStateText state={row.state} seenAt={row.seenAt} />,
      },
      {
        id: "by",
        header: t("duty.columns.by"),
        track: "110px",
        from: 760,
        cell: (row) => t(`duty.by.${row.by}`),
      },
    ],
    [t],
  );
}

/** Grey where nobody knows whether the person is there; the state says so in words. */
function Name({ row }: { readonly row: DutyPerson }) {
  const nameOf = useNamer();
  return (
    <span className={classes["named"]}>
      <span className={classes["name"]} data-state={row.state}>
        {nameOf(row, row.job.name)}
      </span>
      <PersonMarks citizenId={row.id} job={row.job.name} />
    </span>
  );
}

export function narrowDuty(t: Translate, row: DutyPerson): readonly [ReactNode, ReactNode] {
  return [
    <>
      <Name row={row} />
      <span className={classes["whole"]}>
        <DutyStateText state={row.state} seenAt={null} />
      </span>
    </>,
    <>
      <JobTag job={row.job} />
      <span className={classes["whole"]} title={t(`duty.by.${row.by}`)}>
        {row.state === "on" ? <Since instant={row.since} /> : <LastSign seenAt={row.seenAt} />}
      </span>
    </>,
  ];
}
