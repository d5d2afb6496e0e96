import type { ReactNode } from "react";
import { ActionIcon, UnstyledButton } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { TimeAgo } from "#ui/small.tsx";
import type { Notification } from "./notifications.queries.ts";
import { textsOf } from "./texts.ts";
import classes from "./notifications.module.css";

interface EntryProps {
  readonly item: Notification;
  onOpen(): void;
  onRead(): void;
  /** Selects it among others. */
  readonly check?: ReactNode;
}

export function Entry({ item, onOpen, onRead, check }: EntryProps) {
  const { t } = useText();
  const { title, text } = textsOf(t, item);
  const unread = item.readAt === null;
  return (
    <li className={classes["entry"]} data-unread={unread}>
      {check}
      <UnstyledButton className={classes["open"] ?? ""} onClick={onOpen}>
        <span className={classes["mark"]} aria-hidden />
        <span className={classes["text"]}>
          {unread && <span className="rc-hidden">{t("notifications.unread")}</span>}
          <strong>{title}</strong>
          {text !== null && <span>{text}</span>}
        </span>
        <span className={classes["when"]}>
          <TimeAgo instant={item.at} />
        </span>
      </UnstyledButton>
      {unread && (
        <ActionIcon onClick={onRead} aria-label={t("notifications.markRead", { title })}>
          <IconCheck size={16} />
        </ActionIcon>
      )}
    </li>
  );
}
