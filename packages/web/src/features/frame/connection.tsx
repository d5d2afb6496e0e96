import { UnstyledButton } from "@mantine/core";
import { IconPlugConnected, IconPlugConnectedX, IconPlugOff, IconRefresh } from "@tabler/icons-react";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { useConnectionStatus, useReconnect } from "#core/realtime/live.tsx";
import { shortAge } from "#core/time.ts";
import { useServerNow } from "#ui/small.tsx";
import classes from "./frame.module.css";

const ICONS = {
  up: IconPlugConnected,
  connecting: IconRefresh,
  stale: IconPlugOff,
  lost: IconPlugConnectedX,
} as const;

/** Whether changes arrive, and how old the shown data may be. A click reconnects. */
export function ConnectionIndicator() {
  const { t } = useText();
  const { state, lastMessageAt } = useConnectionStatus();
  const reconnect = useReconnect();
  useServerNow(5_000);
  const Icon = ICONS[state];
  const age = lastMessageAt === null ? null : shortAge(systemClock.now() - lastMessageAt);
  const name = state === "lost" ? "offline" : state;
  const text = state === "lost" && age !== null ? t("web.line.lostFor", { age }) : t(`web.line.${name}`);
  const title = age === null ? text : t("web.line.heard", { age });
  return (
    <UnstyledButton className={classes["line"] ?? ""} data-state={state} onClick={reconnect} title={title} aria-label={text}>
      <Icon size={16} aria-hidden />
      <span>{text}</span>
    </UnstyledButton>
  );
}
