import type { RefObject } from "react";
import { Link, useNavigate } from "@tanstack/react-router";
import { Button, FocusTrap } from "@mantine/core";
import { useClickOutside, useWindowEvent } from "@mantine/hooks";
import { IconBellOff, IconChecks } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { ActionList, useAnnouncement } from "#ui/actionList.tsx";
import { Bars, EmptyState, ProblemNote } from "#ui/states.tsx";
import { Entry } from "./entry.tsx";
import { useMarkRead, useNotifications } from "./notifications.queries.ts";
import classes from "./notifications.module.css";

const SHOWN = 12;

export interface PanelProps {
  readonly bell: RefObject<HTMLButtonElement | null>;
  /** `back` returns the focus to the bell. */
  onClose(back: boolean): void;
}

/** The newest unread notifications, under the bell. */
export default function Panel({ bell, onClose }: PanelProps) {
  const { t } = useText();
  const navigate = useNavigate();
  const { query, items } = useNotifications({ only: "unread" });
  const read = useMarkRead();
  const panel = useClickOutside<HTMLDivElement>((event) => {
    if (!bell.current?.contains(event.target as Node)) onClose(false);
  });
  const { announcement, announce } = useAnnouncement();
  const onSuccess = () => announce(t("notifications.marked"));
  const newest = items[0]?.id;
  const all = () => {
    if (newest !== undefined) read.mutate({ upTo: newest }, { onSuccess });
  };
  useWindowEvent("keydown", (event) => {
    if (event.key === "Escape" || event.key === "b") onClose(true);
    if (event.key === "R" && event.shiftKey) all();
  });

  return (
    <FocusTrap active>
      <div className={classes["panel"]} ref={panel} role="dialog" aria-label={t("notifications.name")}>
        <div className={classes["panelHead"]}>
          <h2 tabIndex={-1} data-autofocus>
            {t("notifications.name")}
          </h2>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconChecks size={14} aria-hidden />}
            disabled={items.length === 0}
            aria-keyshortcuts="Shift+R"
            onClick={all}
          >
            {t("notifications.readAll")}
          </Button>
        </div>
        <div className={`rc-scroll ${classes["panelBody"]}`}>
          {query.isPending && (
            <div className={classes["padded"]}>
              <Bars widths={["70%", "50%"]} />
            </div>
          )}
          {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
          {read.isError && <ProblemNote error={read.error} />}
          <ActionList label={t("notifications.name")} announcement={announcement}>
            {query.isSuccess && items.length === 0 && (
              <EmptyState icon={IconBellOff} title={t("notifications.none.title")} text={t("notifications.none.text")} />
            )}
            <ul className={classes["list"]}>
              {items.slice(0, SHOWN).map((item) => (
                <Entry
                  key={item.id}
                  item={item}
                  onOpen={() => {
                    read.mutate({ ids: [item.id] });
                    onClose(false);
                    if (item.link !== null) void navigate({ to: item.link });
                  }}
                  onRead={() => read.mutate({ ids: [item.id] }, { onSuccess })}
                />
              ))}
            </ul>
          </ActionList>
        </div>
        <div className={classes["panelFoot"]}>
          <Link to="/notifications" onClick={() => onClose(false)}>
            {t("notifications.all")}
          </Link>
        </div>
      </div>
    </FocusTrap>
  );
}
