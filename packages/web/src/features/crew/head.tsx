import { Link } from "@tanstack/react-router";
import { Button } from "@mantine/core";
import { IconNavigation } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { asProblem } from "#core/problem.ts";
import { showToast } from "#core/toasts.ts";
import { AlertCount, type Call, PriorityMark, TypeTag } from "#features/calls/calls.api.ts";
import { setWaypointTo } from "#features/ingame/ingame.api.ts";
import classes from "./crew.module.css";

/** What a call is about and where, with the way there. */
export function CallHead({ call }: { readonly call: Call }) {
  const { t } = useText();
  const { id, priority, type, alerts, postal, message } = call;
  return (
    <div className={classes["call"]}>
      <div className={classes["line"]}>
        <PriorityMark priority={priority} />
        <Link to="/calls/$id" params={{ id: String(id) }}>
          DSP-{id}
        </Link>
        <TypeTag type={type} />
        <AlertCount alerts={alerts} />
        {postal !== null && <strong>{t("crew.postal", { postal })}</strong>}
        {postal !== null && <Route postal={postal} />}
      </div>
      <p className={classes["message"]}>{message}</p>
    </div>
  );
}

function Route({ postal }: { readonly postal: string }) {
  const { t } = useText();
  const go = () => {
    setWaypointTo(postal).catch((error: unknown) => {
      showToast({ tone: "danger", title: problemMessage(t, asProblem(error)) });
    });
  };
  return (
    <Button
      className={classes["route"]}
      size="compact-md"
      variant="default"
      leftSection={<IconNavigation size={16} aria-hidden />}
      aria-label={t("crew.routeTo", { postal })}
      onClick={go}
    >
      {t("crew.route")}
    </Button>
  );
}
