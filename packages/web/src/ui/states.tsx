import type { ReactNode } from "react";
import { Button, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconLock, IconRefresh } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { asProblem } from "#core/problem.ts";
import { permissionName, problemMessage } from "#core/messages.ts";
import { CopyText } from "./copy.tsx";
import classes from "./states.module.css";

type Icon = (props: { size?: number; stroke?: number; className?: string }) => ReactNode;

/** An empty page: what it is for, and the first thing to do. */
export function EmptyState(props: { icon: Icon; title: string; text: string; action?: ReactNode; page?: boolean }) {
  return (
    <div className={classes["center"]}>
      <props.icon size={32} stroke={1.4} className={classes["icon"] ?? ""} />
      <Title order={props.page ? 1 : 2}>{props.title}</Title>
      <Text c="dimmed">{props.text}</Text>
      {props.action}
    </div>
  );
}

/** A failed call: its message, a remedy, and the trace id for reports. */
export function ProblemNote(props: {
  error: unknown;
  /** What failed, where the page shows several. */ about?: string;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
}) {
  const { t } = useText();
  const problem = asProblem(props.error);
  // A refusal is not a fault: a trace would not help.
  const traceId = problem.status >= 400 && problem.status < 500 ? null : problem.traceId;
  return (
    <div className={classes["problem"]} role="alert">
      <IconAlertTriangle size={18} aria-hidden />
      <div className={classes["problemBody"]}>
        <div>
          {props.about !== undefined && <strong>{props.about}: </strong>}
          {problemMessage(t, problem)}
        </div>
        {(props.onRetry || traceId) && (
          <div className={classes["actions"]}>
            {props.onRetry && (
              <Button
                size="compact-sm"
                variant="default"
                leftSection={<IconRefresh size={14} />}
                loading={props.retrying ?? false}
                onClick={props.onRetry}
              >
                {t("web.retry")}
              </Button>
            )}
            {traceId && <CopyText text={traceId} label={t("web.traceId")} showLabel />}
          </div>
        )}
      </div>
    </div>
  );
}

/** A part of the page is hidden because a right is missing. */
export function RightHint(props: { permission: string; text?: string }) {
  const { t } = useText();
  const right = permissionName(t, props.permission);
  return (
    <div className={classes["hint"]}>
      <IconLock size={13} aria-hidden />
      <span>{props.text ?? t("web.needsRight", { right })}</span>
    </div>
  );
}

/** Grey placeholders while content loads; shown only when it takes longer than 200 ms. */
export function Bars(props: { widths: readonly (number | string)[] }) {
  const { t } = useText();
  return (
    <div className={classes["late"]} role="status" aria-label={t("web.loading")}>
      {props.widths.map((width, index) => (
        <div key={index} className={classes["bar"]} style={{ width, margin: "10px 0" }} />
      ))}
    </div>
  );
}

export function Bar(props: { width: number | string }) {
  return <span className={classes["bar"]} style={{ width: props.width, display: "block" }} />;
}
