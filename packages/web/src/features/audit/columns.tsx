import { useMemo, type ReactNode } from "react";
import { IconBan, IconCheck, IconExclamationCircle } from "@tabler/icons-react";
import { useText, type Translate } from "#core/i18n.ts";
import type { Column } from "#ui/grid.types.ts";
import { JobTag, TimeAgo } from "#ui/small.tsx";
import type { Row } from "./audit.queries.ts";
import { actionText, actorText, type JobLabel, aboutText } from "./texts.ts";
import classes from "./audit.module.css";

const ICONS = { ok: IconCheck, denied: IconBan, failed: IconExclamationCircle } as const;

export function Result({ result, times }: { result: Row["result"]; times: number }) {
  const { t } = useText();
  const Icon = ICONS[result];
  return (
    <span className={classes["result"]} data-result={result}>
      <Icon size={14} aria-hidden />
      {t(`audit.results.${result}`)}
      {times > 1 && <span className={classes["times"]}>×{times}</span>}
    </span>
  );
}

export function useAuditColumns(jobLabel: JobLabel): readonly Column<Row>[] {
  const { t } = useText();
  return useMemo(() => {
    const columns: Column<Row>[] = [
      {
        id: "at",
        order: "at",
        header: t("audit.columns.at"),
        track: "112px",
        numeric: true,
        cell: (row) => <TimeAgo instant={row.at} />,
      },
      { id: "who", header: t("audit.columns.who"), track: "minmax(120px, 1.5fr)", cell: (row) => actorText(t, row) },
      {
        id: "action",
        header: t("audit.columns.action"),
        track: "minmax(140px, 1.8fr)",
        cell: (row) => actionText(t, row.action),
      },
      {
        id: "object",
        header: t("audit.columns.object"),
        track: "minmax(110px, 1.4fr)",
        from: 720,
        cell: (row) => aboutText(t, row, jobLabel),
      },
      {
        id: "job",
        header: t("audit.columns.job"),
        track: "minmax(90px, 1fr)",
        from: 900,
        cell: (row) => row.actor.job && <JobTag job={{ name: row.actor.job, label: "" }} />,
      },
      {
        id: "result",
        header: t("audit.columns.result"),
        track: "110px",
        from: 600,
        cell: (row) => <Result result={row.result} times={row.folded} />,
      },
    ];
    return columns;
  }, [t, jobLabel]);
}

export function auditCardCells(t: Translate, row: Row, jobLabel: JobLabel): readonly [ReactNode, ReactNode] {
  return [
    <>
      <span>{actionText(t, row.action)}</span>
      <span className={classes["about"]}>{aboutText(t, row, jobLabel)}</span>
    </>,
    <>
      <span>{actorText(t, row)}</span>
      {row.result !== "ok" && <Result result={row.result} times={row.folded} />}
      <TimeAgo instant={row.at} />
    </>,
  ];
}
