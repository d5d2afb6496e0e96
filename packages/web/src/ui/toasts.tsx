import { useEffect, useRef, useState, type RefObject } from "react";
import { ActionIcon, Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconAlertTriangle, IconCircleCheck, IconExclamationCircle, IconInfoCircle, IconX } from "@tabler/icons-react";
import { systemClock } from "#core/clock.ts";
import { useText } from "#core/i18n.ts";
import { dropToast, type Toast, useToasts } from "#core/toasts.ts";
import classes from "./toasts.module.css";

/** How long a toast stays without the pointer on it; longer with something to do. Milliseconds. */
const SHOWN_FOR = 5_000;
const WITH_ACTION = 10_000;

/** From the edge of the window, and from what is scrolled above them. Pixels. */
const DISTANCE = 16;

const ICONS = {
  info: IconInfoCircle,
  success: IconCircleCheck,
  warning: IconAlertTriangle,
  danger: IconExclamationCircle,
} as const;

/** The toasts in the corner, announced by screen readers as they appear. */
export function Toasts() {
  const { t } = useText();
  const toasts = useToasts();
  const corner = useRef<HTMLDivElement>(null);
  useRoom(corner, toasts.length > 0);
  return (
    <div ref={corner} className={classes["corner"]} role="log" aria-live="polite" aria-label={t("web.toasts.label")}>
      {toasts.map((toast) => (
        <Message key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/** What scrolls has as much room at its end, so that its last controls can be scrolled out from below the toasts. */
function useRoom(corner: RefObject<HTMLElement | null>, shown: boolean) {
  useEffect(() => {
    const node = corner.current;
    if (!shown || !node) return;
    const { style } = document.documentElement;
    const measured = new ResizeObserver(() => style.setProperty("--rc-toasts", `${node.offsetHeight + 2 * DISTANCE}px`));
    measured.observe(node);
    return () => {
      measured.disconnect();
      style.removeProperty("--rc-toasts");
    };
  }, [corner, shown]);
}

function Message({ toast }: { toast: Toast }) {
  const { t } = useText();
  const { id, tone, title, text, link, action, shownFor = action ? WITH_ACTION : SHOWN_FOR } = toast;
  const [paused, setPaused] = useState(false);
  const Icon = ICONS[tone];
  useEffect(() => {
    if (paused) return;
    return systemClock.after(shownFor, () => dropToast(id));
  }, [paused, id, shownFor]);
  const pause = (on: boolean) => () => setPaused(on);
  return (
    <div
      className={classes["toast"]}
      data-tone={tone}
      onMouseEnter={pause(true)}
      onMouseLeave={pause(false)}
      onFocus={pause(true)}
      onBlur={pause(false)}
    >
      <Icon size={18} aria-hidden />
      <div className={classes["body"]}>
        {link === undefined ? (
          <strong>{title}</strong>
        ) : (
          <Link to={link} onClick={() => dropToast(id)}>
            {title}
          </Link>
        )}
        {text !== undefined && <span>{text}</span>}
        {action && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              dropToast(id);
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
      </div>
      <ActionIcon size="sm" onClick={() => dropToast(id)} aria-label={t("web.toasts.drop")}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  );
}
