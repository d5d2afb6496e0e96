import { useState } from "react";
import { ActionIcon, Button } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck, IconClock, IconNavigation, IconX } from "@tabler/icons-react";
import type { Waypoint } from "@rollcall/server/contract/ingame";
import { useText } from "#core/i18n.ts";
import { tablet } from "#core/preferences.ts";
import { focusBehind } from "#ui/focus.ts";
import { useServerNow } from "#ui/small.tsx";
import { ProblemNote } from "#ui/states.tsx";
import type { WaypointOfViewer } from "./waypoint.queries.ts";
import classes from "./ingame.module.css";

/** What became of a waypoint is shown for this long after its end. Milliseconds. */
const SHOWN = 60_000;

const ICONS: Readonly<Record<Waypoint["state"], typeof IconClock>> = {
  open: IconClock,
  delivered: IconClock,
  done: IconCircleCheck,
  refused: IconAlertTriangle,
  expired: IconAlertTriangle,
  unknown: IconAlertTriangle,
};

/** Sets the viewer's waypoint in the game, beside the place that it leads to. */
export function WaypointButton(props: { readonly to: string; readonly large?: boolean; onSet(): void }) {
  const { t } = useText();
  const label = t("ingame.waypoint.setTo", { to: props.to });
  return (
    <ActionIcon
      {...(props.large ? { variant: "default", w: 36, h: "auto" } : { size: tablet ? 36 : 26 })}
      aria-label={label}
      title={label}
      onClick={(event) => {
        event.stopPropagation();
        props.onSet();
      }}
    >
      <IconNavigation size={props.large ? 17 : 15} aria-hidden />
    </ActionIcon>
  );
}

/** What becomes of the viewer's waypoint, while that is news. */
export function WaypointOutcome({ waypoint, setting }: WaypointOfViewer) {
  const { t } = useText();
  const now = useServerNow(5_000);
  const [closed, setClosed] = useState<number | null>(null);
  const isNews = waypoint !== null && waypoint.sentAt !== closed && (waypoint.endedAt === null || now - waypoint.endedAt < SHOWN);
  const shown = isNews && !setting.isError ? waypoint : null;
  const { variables } = setting;
  const isMine = setting.data?.waypoint?.sentAt === shown?.sentAt;
  const what = variables && isMine ? t("ingame.waypoint.to", { to: variables.name }) : t("ingame.waypoint.own");
  const failed = shown !== null && ICONS[shown.state] === IconAlertTriangle;
  return (
    <>
      {setting.isError && (
        <div className={classes["problem"]}>
          <ProblemNote error={setting.error} onRetry={() => setting.mutate(setting.variables)} retrying={setting.isPending} />
          <Close onClose={() => setting.reset()} />
        </div>
      )}
      <div className={classes["outcome"]} data-waypoint={shown?.state}>
        <p role="status">{shown && <Sentence waypoint={shown} what={what} />}</p>
        <span className={classes["actions"]}>
          {failed && variables && isMine && (
            <Button size="compact-sm" variant="default" loading={setting.isPending} onClick={() => setting.mutate(variables)}>
              {t("ingame.waypoint.again")}
            </Button>
          )}
          {shown && shown.endedAt !== null && <Close onClose={() => setClosed(shown.sentAt)} />}
        </span>
      </div>
    </>
  );
}

/** It goes with the line that it closes, so the keyboard goes on to what follows. */
function Close({ onClose }: { onClose(): void }) {
  const { t } = useText();
  return (
    <ActionIcon
      size="sm"
      aria-label={t("web.close")}
      onClick={({ currentTarget }) => {
        focusBehind(currentTarget);
        onClose();
      }}
    >
      <IconX size={14} aria-hidden />
    </ActionIcon>
  );
}

function Sentence({ waypoint: { state, reason }, what }: { readonly waypoint: Waypoint; readonly what: string }) {
  const { t } = useText();
  const Icon = ICONS[state];
  const known = state === "refused" && reason ? "refusedReason" : state;
  return (
    <>
      <Icon size={16} aria-hidden />
      <span>{t(`ingame.waypoint.states.${known}`, { what, reason: reason ?? "" })}</span>
    </>
  );
}
