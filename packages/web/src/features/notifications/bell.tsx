import { useRef, useState } from "react";
import { ActionIcon } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { notificationsTopic, soundPreference } from "@rollcall/server/contract/notifications";
import { useActiveIdentity } from "#core/abilities.ts";
import { preferenceNow } from "#core/accountPreferences.ts";
import { useText, withTexts } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { part } from "#core/part.ts";
import { useLive } from "#core/realtime/live.tsx";
import { useTitleMark } from "#core/title.ts";
import { showToast } from "#core/toasts.ts";
import { type NewNotification, useMissed, useRefresh, useUnread } from "./notifications.queries.ts";
import type { PanelProps } from "./panel.tsx";
import { createShown } from "./shown.ts";
import classes from "./bell.module.css";

const Panel = part<PanelProps>(["notificationKinds"], () => import("./panel.tsx"));
const loadTexts = withTexts(["notificationKinds"], () => import("./texts.ts"));

type TextsOf = Awaited<ReturnType<typeof loadTexts>>["textsOf"];

const MOST = 99;

/** The count of unread notifications, and the list of them. */
export function Bell() {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const unread = useUnread();
  useArrivals();
  const count = unread > MOST ? `${MOST}+` : String(unread);
  useTitleMark(unread > 0 ? `(${count}) ` : null, 2);
  useShortcuts([{ keys: "b", label: "notifications.open", group: "anywhere", run: () => setOpened(!opened) }]);
  const close = (back: boolean) => {
    setOpened(false);
    if (back) button.current?.focus();
  };
  return (
    <div className={classes["place"]}>
      <ActionIcon
        ref={button}
        onClick={() => setOpened(!opened)}
        aria-label={t("notifications.bell", { count: unread })}
        aria-expanded={opened}
        aria-keyshortcuts="b"
      >
        <IconBell size={18} />
        {unread > 0 && (
          <span className={classes["count"]} aria-hidden>
            {count}
          </span>
        )}
      </ActionIcon>
      {opened && <Panel bell={button} onClose={close} />}
    </div>
  );
}

/** Shows, announces and counts new notifications by the viewer's preferences. */
function useArrivals(): void {
  const { t } = useText();
  const refresh = useRefresh();
  const missed = useMissed();
  const { id: accountId } = useActiveIdentity().account;
  const [shown] = useState(createShown);
  const arrive = (textsOf: TextsOf, item: NewNotification) => {
    const { title, text } = textsOf(t, item);
    if (item.replaced !== null) shown.close(item.replaced);
    if (item.channels.includes("toast")) {
      const close = showToast({
        tone: item.tone,
        title,
        ...(text === null ? {} : { text }),
        ...(item.link === null ? {} : { link: item.link }),
      });
      shown.add(item.id, close);
    }
    if (item.channels.includes("sound")) void import("./sound.ts").then(({ ring }) => ring(preferenceNow(soundPreference)));
  };
  useLive(
    notificationsTopic,
    {
      onEvent({ items }) {
        refresh();
        // What cannot be named because the server is gone again stands in the list.
        loadTexts().then(
          ({ textsOf }) => items.forEach((item) => arrive(textsOf, item)),
          () => undefined,
        );
      },
      onSnapshot: missed,
    },
    accountId,
  );
}
