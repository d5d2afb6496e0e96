import { useMemo, type ReactNode } from "react";
import { callProgress } from "@rollcall/server/contract/calls";
import { type Translate, useText } from "#core/i18n.ts";
import type { Column } from "#ui/grid.types.ts";
import { CallAge, PriorityMark } from "./age.tsx";
import type { Call } from "./calls.queries.ts";
import { AlertCount } from "./reports.tsx";
import { TypeTag } from "./typeTag.tsx";
import { refOf } from "./ref.ts";
import classes from "./calls.module.css";

/** Units and further alerts change a call without another version of it. */
export const shownVersion = ({ version, alerts, progress }: Call): number =>
  (version + alerts) * callProgress.length + (progress === null ? 0 : callProgress.indexOf(progress));

/** Two lines in place of columns on a narrow screen. */
export const narrowCall =
  (t: Translate, waitSeconds: number) =>
  (call: Call): readonly [ReactNode, ReactNode] => [
    <>
      <PriorityMark priority={call.priority} /> <AlertCount alerts={call.alerts} /> {messageOf(t, call)}
    </>,
    <>
      <span>DSP-{call.id}</span>
      <span>{stateText(t, call)}</span>
      <span>{call.postal}</span>
      <CallAge call={call} waitSeconds={waitSeconds} />
    </>,
  ];

/** How far its units are with an open call; what became of another one. */
export const stateText = (t: Translate, { state, progress }: Pick<Call, "state" | "progress">): string =>
  progress === null ? t(`calls.states.${state}`) : t(`calls.progress.${progress}`);

/** What a call says; a panic says it in every language. */
export const messageOf = (t: Translate, { kind, message }: Pick<Call, "kind" | "message">): string =>
  kind === "panic" ? t("calls.panic") : message;

function Told({ call }: { readonly call: Call }) {
  const { t } = useText();
  return (
    <span className={classes["told"]}>
      <AlertCount alerts={call.alerts} />
      <span>{messageOf(t, call)}</span>
    </span>
  );
}

/** The first columns name the call; the others can be hidden. */
export function useCallColumns(waitSeconds: number): readonly Column<Call>[] {
  const { t } = useText();
  return useMemo(
    () => [
      { id: "message", header: t("calls.columns.message"), track: "minmax(160px, 2.4fr)", cell: (row) => <Told call={row} /> },
      {
        id: "priority",
        order: "priority",
        header: t("calls.columns.priority"),
        track: "84px",
        cell: (row) => <PriorityMark priority={row.priority} />,
      },
      {
        id: "type",
        header: t("calls.columns.type"),
        track: "minmax(120px, 1.2fr)",
        from: 560,
        cell: (row) => <TypeTag type={row.type} />,
      },
      { id: "postal", header: t("calls.columns.postal"), track: "90px", from: 860, cell: (row) => row.postal },
      { id: "state", header: t("calls.columns.state"), track: "110px", from: 560, cell: (row) => stateText(t, row) },
      {
        id: "createdAt",
        order: "createdAt",
        header: t("calls.columns.age"),
        track: "140px",
        numeric: true,
        cell: (row) => <CallAge call={row} waitSeconds={waitSeconds} />,
      },
      { id: "id", header: t("calls.columns.id"), track: "84px", from: 760, numeric: true, cell: (row) => refOf(row.id) },
    ],
    [t, waitSeconds],
  );
}
