import { useState } from "react";
import { Button } from "@mantine/core";
import { IconAlertOctagon } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { useServerNow } from "#ui/small.tsx";
import { answeredText } from "./alarmBar.tsx";
import { CancelButton } from "./cancelButton.tsx";
import { useHold } from "./hold.ts";
import { usePanicChanges, usePresentPanics } from "./panic.queries.ts";
import classes from "./panic.module.css";

/** To hold for half a second; afterwards it says who responds, and cancels for ten seconds. Nothing off duty. */
export default function PanicButton() {
  const { t } = useText();
  const { data } = usePresentPanics();
  const changes = usePanicChanges();
  const now = useServerNow(1_000);
  const [isShort, setShort] = useState(false);
  const act = () => {
    setShort(false);
    void changes.press();
  };
  const { held, handlers } = useHold(act, () => setShort(true));
  if (data?.onDuty !== true) return null;
  const own = data.items.find(({ mine }) => mine);
  return (
    <div className={classes["press"]}>
      <Button
        {...handlers}
        className={classes["button"]}
        data-held={held || undefined}
        leftSection={<IconAlertOctagon size={20} aria-hidden />}
        aria-describedby="panic-hint"
      >
        {t(own === undefined ? "panic.press" : "panic.pressAgain")}
      </Button>
      {own !== undefined && <CancelButton panic={own} now={now} changes={changes} />}
      <span id="panic-hint" role="status" className={classes["quiet"]}>
        {own === undefined ? t(isShort ? "panic.holdLonger" : "panic.hold") : answeredText(t, own)}
      </span>
    </div>
  );
}
