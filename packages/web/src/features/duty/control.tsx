import { useRef, useState } from "react";
import { Link } from "@tanstack/react-router";
import { FocusTrap, UnstyledButton } from "@mantine/core";
import { useClickOutside, useWindowEvent } from "@mantine/hooks";
import { IconClockPause, IconUserCheck, IconUserQuestion } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { part } from "#core/part.ts";
import { ownDutyText } from "./ownText.ts";
import { useOwnDuty } from "./own.queries.ts";
import classes from "./control.module.css";

const OwnDutyPanel = part(["duty"], () => import("./own.tsx"));

/** The own duty in the top bar; a click opens what can be done about it. */
export function DutyControl() {
  const { t, language } = useText();
  const { data: own } = useOwnDuty();
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const place = useClickOutside<HTMLDivElement>(() => setOpened(false));
  useWindowEvent("keydown", (event) => {
    if (!opened || event.key !== "Escape") return;
    setOpened(false);
    button.current?.focus();
  });
  if (!own) return null;
  const state = own.duty?.state ?? "off";
  const text = ownDutyText(t, own.duty, language);
  const Icon = state === "off" ? IconClockPause : state === "on" ? IconUserCheck : IconUserQuestion;
  return (
    <div className={classes["place"]} ref={place}>
      <UnstyledButton
        ref={button}
        className={classes["control"] ?? ""}
        data-state={state}
        aria-haspopup="true"
        aria-label={text}
        title={text}
        aria-expanded={opened}
        onPointerEnter={() => void OwnDutyPanel.load()}
        onFocus={() => void OwnDutyPanel.load()}
        onClick={() => setOpened(!opened)}
      >
        <Icon size={16} aria-hidden />
        <span className={classes["text"]}>{text}</span>
      </UnstyledButton>
      {opened && (
        <FocusTrap active>
          <div className={classes["panel"]} role="dialog" aria-label={t("duty.bar.title")}>
            <OwnDutyPanel />
            <Link to="/duty" onClick={() => setOpened(false)}>
              {t("duty.bar.all")}
            </Link>
          </div>
        </FocusTrap>
      )}
    </div>
  );
}
