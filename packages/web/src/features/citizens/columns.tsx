import { useMemo, type ReactNode } from "react";
import { citizensPermissions } from "@rollcall/server/contract/citizens";
import { useAbilities } from "#core/abilities.ts";
import { isDisabled, useClientConfig } from "#core/client.ts";
import { useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { calendarDay } from "#core/time.ts";
import type { Column } from "#ui/grid.types.ts";
import { Thumbnail } from "#features/files/files.api.ts";
import { JobTag, TimeAgo } from "#ui/small.tsx";
import type { CitizenRow } from "./citizens.queries.ts";
import { shownJobs } from "./rows.ts";
import classes from "./citizens.module.css";

export const refOf = (id: number) => `CIT-${id}`;
/** The name, or the short id of a citizen without a name. */
export const fullName = (row: { id: number; firstName: string; lastName: string }) =>
  `${row.firstName} ${row.lastName}`.trim() || refOf(row.id);

/** Columns of the fields that this viewer may see; the rows do not contain the others. `filter`: the job of the filter. */
export function useCitizenColumns(filter: string | undefined): readonly Column<CitizenRow>[] {
  const { t, language } = useText();
  const abilities = useAbilities();
  const client = useClientConfig();
  const sees = (field: string) => abilities.sees(citizensPermissions.list, field) && !isDisabled(client, `citizens.${field}`);
  const [job, phone, visum] = [sees("job"), sees("phone"), sees("visum")];

  return useMemo(() => {
    const all: (Column<CitizenRow> | false)[] = [
      {
        id: "name",
        order: "name",
        header: t("citizens.columns.name"),
        track: "minmax(150px, 2.2fr)",
        cell: (row) => <Named row={row} />,
      },
      {
        id: "ref",
        header: t("citizens.columns.id"),
        track: "86px",
        numeric: true,
        cell: (row) => refOf(row.id),
      },
      job && {
        id: "job",
        header: t("citizens.columns.job"),
        track: "minmax(130px, 2fr)",
        cell: (row) => <Jobs row={row} filter={filter} />,
      },
      {
        id: "dateOfBirth",
        order: "dateOfBirth",
        header: t("citizens.columns.dateOfBirth"),
        track: "104px",
        from: 560,
        numeric: true,
        cell: (row) => row.dateOfBirth && calendarDay(row.dateOfBirth, language),
      },
      phone && {
        id: "phone",
        header: t("citizens.columns.phone"),
        track: "minmax(96px, 1fr)",
        from: 680,
        numeric: true,
        cell: (row) => row.phoneNumber,
      },
      {
        id: "sex",
        header: t("citizens.columns.sex"),
        track: "74px",
        from: 820,
        cell: (row) => sexText(t, row.sex),
      },
      {
        id: "height",
        header: t("citizens.columns.height"),
        track: "70px",
        from: 900,
        numeric: true,
        cell: (row) => (row.height === null ? null : t("citizens.centimetres", { value: row.height })),
      },
      visum && {
        id: "visum",
        order: "visum",
        header: t("citizens.columns.visum"),
        track: "60px",
        from: 980,
        numeric: true,
        cell: (row) => row.visum,
      },
      {
        id: "updatedAt",
        order: "updatedAt",
        optional: true,
        header: t("citizens.columns.updatedAt"),
        track: "110px",
        from: 1060,
        numeric: true,
        cell: (row) => <TimeAgo instant={row.updatedAt} />,
      },
    ];
    return all.filter((column) => column !== false);
  }, [t, language, job, phone, visum, filter]);
}

/** The name, with the picture before it where there is one. */
function Named({ row }: { row: CitizenRow }) {
  if (!row.avatar) return fullName(row);
  return (
    <>
      <Thumbnail of={row.avatar} round /> {fullName(row)}
    </>
  );
}

/** The job that the list is filtered by, else the first, and how many others there are. */
function Jobs({ row, filter }: { row: CitizenRow; filter: string | undefined }) {
  const { t } = useText();
  const labelOf = useJobLabels();
  const shown = shownJobs(row, filter);
  if (!shown) return null;
  const { job, others } = shown;
  if (others.length === 0) return <JobTag job={job} />;
  const text = t("citizens.moreJobs", { count: others.length, jobs: others.map(({ name }) => labelOf(name)).join(", ") });
  return (
    <span className={classes["jobs"]}>
      <JobTag job={job} />
      <span className={classes["more"]} title={text}>
        <span aria-hidden>+{others.length}</span>
        <span className="rc-hidden">{text}</span>
      </span>
    </span>
  );
}

function Day({ day }: { day: string }) {
  return calendarDay(day, useText().language);
}

export function sexText(t: (key: string) => string, sex: string | null): string | null {
  if (sex === null || sex === "") return null;
  const known = ({ m: "male", "0": "male", f: "female", "1": "female", w: "female", d: "diverse", x: "diverse" } as const)[
    sex.toLowerCase()
  ];
  return known ? t(`citizens.sex.${known}`) : sex;
}

export function narrowCitizen(row: CitizenRow, filter: string | undefined): readonly [ReactNode, ReactNode] {
  return [
    <Named key="name" row={row} />,
    <>
      <span>{row.job ? <Jobs row={row} filter={filter} /> : row.dateOfBirth && <Day day={row.dateOfBirth} />}</span>
      <span className="rc-number">{refOf(row.id)}</span>
    </>,
  ];
}
