import { useMemo, type ReactNode } from "react";
import { type Translate, useText } from "#core/i18n.ts";
import { shortAge } from "#core/time.ts";
import type { Column } from "#ui/grid.types.ts";
import { TimeAgo } from "#ui/small.tsx";
import type { Panic } from "./panic.queries.ts";

/** Acknowledgements and presses change a panic, too. */
export const shownVersion = ({ version, presses, alarms }: Panic): number =>
  (version + presses) * 100 + alarms.filter(({ state }) => state === "acknowledged").length;

export const stateText = (t: Translate, { state }: Pick<Panic, "state">): string => t(`panic.states.${state}`);

/** How long the first job needed. */
export function answerTime({ alarms, pressedAt }: Panic): string | null {
  const first = Math.min(...alarms.flatMap(({ at }) => at ?? []));
  return Number.isFinite(first) ? shortAge(first - pressedAt) : null;
}

/** Two lines in place of columns on a narrow screen. */
export const narrowPanic =
  (t: Translate) =>
  (row: Panic): readonly [ReactNode, ReactNode] => [
    row.person?.name ?? t("panic.nobody"),
    <>
      <span>{stateText(t, row)}</span>
      <span>{row.postal}</span>
      <TimeAgo instant={row.pressedAt} />
    </>,
  ];

/** The first column names the panic; the others can be hidden. */
export function usePanicColumns(): readonly Column<Panic>[] {
  const { t } = useText();
  return useMemo(
    () => [
      {
        id: "person",
        header: t("panic.columns.person"),
        track: "minmax(140px, 2fr)",
        cell: (row) => row.person?.name ?? t("panic.nobody"),
      },
      { id: "state", header: t("panic.columns.state"), track: "120px", cell: (row) => stateText(t, row) },
      { id: "job", header: t("panic.columns.job"), track: "minmax(100px, 1fr)", from: 640, cell: (row) => row.job.label },
      { id: "postal", header: t("panic.columns.postal"), track: "100px", from: 760, cell: (row) => row.postal },
      {
        id: "answer",
        header: t("panic.columns.answer"),
        track: "120px",
        from: 860,
        numeric: true,
        cell: (row) => answerTime(row),
      },
      {
        id: "pressedAt",
        order: "pressedAt",
        header: t("panic.columns.pressedAt"),
        track: "130px",
        numeric: true,
        cell: (row) => <TimeAgo instant={row.pressedAt} />,
      },
      { id: "id", header: t("panic.columns.id"), track: "90px", from: 560, numeric: true, cell: (row) => `DSP-${row.callId}` },
    ],
    [t],
  );
}
