import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { IconHeadset, IconHeadsetOff } from "@tabler/icons-react";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { problemMessage } from "#core/messages.ts";
import { Since } from "#features/duty/duty.api.ts";
import { type SignOnOfWindow, useDispatchers } from "./desk.queries.ts";
import classes from "./desk.module.css";

/** Who is signed on, and whether the viewer is; where not, why and what to do. */
export function DispatchersLine({ window: { signed, leave, comeBack } }: { readonly window: SignOnOfWindow }) {
  const { t } = useText();
  const items = useDispatchers().data?.items ?? [];
  const { character } = useActiveIdentity();
  const { state, problem } = signed;
  return (
    <div className={classes["dispatchers"]} data-signed={state}>
      {state === "on" ? <IconHeadset size={16} aria-hidden /> : <IconHeadsetOff size={16} aria-hidden />}
      <ul aria-label={t("desk.dispatchers.label")}>
        {items.length === 0 && <li className={classes["quiet"]}>{t("desk.dispatchers.none")}</li>}
        {items.map(({ id, name, job, since }) => (
          <li key={`${job.name} ${id}`}>
            <strong>{id === character.id ? t("desk.dispatchers.you") : name}</strong>
            {job.name !== character.job.name && <span> · {job.label}</span>}
            <span className={classes["quiet"]}>
              {" "}
              <Since instant={since} />
            </span>
          </li>
        ))}
      </ul>
      {state === "on" && (
        <Button size="compact-sm" variant="default" onClick={leave}>
          {t("desk.dispatchers.signOff")}
        </Button>
      )}
      {state === "left" && (
        <Button size="compact-sm" onClick={comeBack}>
          {t("desk.dispatchers.signOn")}
        </Button>
      )}
      {problem !== null && (
        <span className={classes["warn"]} role="alert">
          {problemMessage(t, problem)}{" "}
          {state === "off" && (
            <Button size="compact-sm" variant="default" renderRoot={(props) => <Link to="/duty" {...props} />}>
              {t("desk.dispatchers.toDuty")}
            </Button>
          )}
        </span>
      )}
    </div>
  );
}
