import { useEffect, useRef } from "react";
import { Button, FocusTrap } from "@mantine/core";
import { useText } from "#core/i18n.ts";
import { session, useSession } from "#core/services.ts";
import { systemClock } from "#core/clock.ts";
import { LoginForm } from "./form.tsx";
import classes from "./auth.module.css";

/** Interval of the check whether another tab signed in. Milliseconds. */
const LOOK = 10_000;

/** Covers the page when the session ended; typed input below is preserved. */
export function LostSession() {
  const { t } = useText();
  const state = useSession();
  const before = useRef(document.activeElement);

  useEffect(() => {
    let cancel = () => {};
    const look = () => {
      session.wake();
      cancel = systemClock.after(LOOK, look);
    };
    cancel = systemClock.after(LOOK, look);
    const focused = before.current;
    return () => {
      cancel();
      if (focused instanceof HTMLElement) focused.focus();
    };
  }, []);

  if (state.phase !== "active") return null;
  return (
    <div className={classes["overlay"]} role="dialog" aria-modal="true" aria-labelledby="lost-title">
      <FocusTrap active>
        <div className={`${classes["panel"]} ${classes["box"]}`}>
          <h2 id="lost-title">{t("auth.lost.title")}</h2>
          <p>{t("auth.lost.text", { name: `${state.character.firstName} ${state.character.lastName}` })}</p>
          <LoginForm username={state.account.username} stay />
          <Button variant="subtle" color="gray" size="compact-sm" mt="sm" onClick={() => void session.signOut()}>
            {t("auth.lost.leave")}
          </Button>
        </div>
      </FocusTrap>
    </div>
  );
}
