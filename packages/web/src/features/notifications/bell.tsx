import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { ActionIcon } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { notificationsTopic, soundPreference } from "@rollcall/server/contract/notifications";
import { useActiveIdentity } from "#core/abilities.ts";
import { preferenceNow } from "#core/accountPreferences.ts";
import { useText } from "#core/i18n.ts";
import { useShortcuts } from "#core/keyboard.ts";
import { useLive } from "#core/realtime/live.tsx";
import { showToast } from "#core/toasts.ts";
import { type NewNotification, useMissed, useRefresh, useUnread } from "./notifications.queries.ts";
import { createShown } from "./shown.ts";
import { textsOf } from "./texts.ts";
import classes from "./bell.module.css";

const Panel = lazy(() => import("./panel.tsx"));

const MOST = 99;

/** The count of unread notifications, and the list of them. */
export function Bell() {
  const { t } = useText();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const unread = useUnread();
  useArrivals();
  useCountInTitle(unread);
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
            {unread > MOST ? `${MOST}+` : unread}
          </span>
        )}
      </ActionIcon>
      {opened && (
        <Suspense fallback={null}>
          <Panel bell={button} onClose={close} />
        </Suspense>
      )}
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
  const arrive = (item: NewNotification) => {
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
        items.forEach(arrive);
        refresh();
      },
      onSnapshot: missed,
    },
    accountId,
  );
}

/** The frame sets the title of the page; the count is put before it and stays there while pages change. */
function useCountInTitle(unread: number): void {
  useEffect(() => {
    const put = () => {
      const plain = document.title.replace(/^\(\d+\+?\) /, "");
      const wanted = unread > 0 ? `(${unread > MOST ? `${MOST}+` : unread}) ${plain}` : plain;
      if (document.title !== wanted) document.title = wanted;
    };
    put();
    const title = document.querySelector("title");
    if (!title) return;
    const observer = new MutationObserver(put);
    observer.observe(title, { childList: true });
    return () => observer.disconnect();
  }, [unread]);
}
