import { useEffect, useRef, type ReactNode } from "react";
import { ActionIcon } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconArrowLeft, IconX } from "@tabler/icons-react";
import { useShortcuts } from "#core/keyboard.ts";
import { useText } from "#core/i18n.ts";
import { useRecordTitle } from "#core/title.ts";
import { takesFocus } from "./focus.ts";
import { ScrollArea } from "./scroll.tsx";
import classes from "./split.module.css";

/** A list, and beside it (over it on narrow screens) the opened record. The list keeps its state. */
export function Split(props: { list: ReactNode; detail: ReactNode | null }) {
  const over = useMediaQuery("(max-width: 1099.9px)", false, { getInitialValueInEffect: false });
  return (
    <div className={classes["split"]}>
      <div className={classes["list"]} inert={over && props.detail !== null}>
        {props.list}
      </div>
      {props.detail}
    </div>
  );
}

/**
 * While the page is printed the open record is alone on it, dark on white: `data-print` hides the rest. Returns what ends
 * this.
 */
function printAlone(): () => void {
  const root = document.documentElement;
  const scheme = "data-mantine-color-scheme";
  let shown: string | null = null;
  const begin = () => {
    shown ??= root.getAttribute(scheme);
    root.setAttribute(scheme, "light");
    root.dataset["print"] = "record";
  };
  const end = () => {
    if (shown !== null) root.setAttribute(scheme, shown);
    shown = null;
    delete root.dataset["print"];
  };
  addEventListener("beforeprint", begin);
  addEventListener("afterprint", end);
  return () => {
    removeEventListener("beforeprint", begin);
    removeEventListener("afterprint", end);
    end();
  };
}

/** A record without a list beside it. */
export function Single({ children }: { children: ReactNode }) {
  return <div className={`${classes["split"]} ${classes["single"]}`}>{children}</div>;
}

export function DetailPane(props: {
  /** Names the record, also in the title of the tab. */
  title: string;
  under?: ReactNode;
  label: string;
  onClose: () => void;
  /** Buttons beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}) {
  const { t } = useText();
  const over = useMediaQuery("(max-width: 1099.9px)", false, { getInitialValueInEffect: false });
  const heading = useRef<HTMLDivElement>(null);
  useRecordTitle(props.title);
  useShortcuts([{ keys: "Escape", label: "web.keys.close", group: "page", run: props.onClose }]);

  useEffect(() => printAlone(), []);

  useEffect(() => {
    // An open dialog keeps the focus when the window becomes narrow.
    if ((over && document.querySelector("[role=dialog]") === null) || takesFocus())
      heading.current?.focus({ preventScroll: true });
  }, [over]);

  return (
    <aside className={classes["detail"]} aria-label={props.label}>
      <div className={classes["head"]}>
        {over && (
          <ActionIcon onClick={props.onClose} aria-label={t("web.backToList")}>
            <IconArrowLeft size={18} />
          </ActionIcon>
        )}
        <div className={classes["title"]} ref={heading} tabIndex={-1} data-heading>
          <h2>{props.title}</h2>
          {props.under}
        </div>
        {props.actions}
        {!over && (
          <ActionIcon onClick={props.onClose} aria-label={t("web.close")}>
            <IconX size={18} />
          </ActionIcon>
        )}
      </div>
      <ScrollArea className={classes["scroll"]} label={props.label}>
        {props.children}
      </ScrollArea>
    </aside>
  );
}
