import { useMemo, useState } from "react";
import { stateFields } from "@rollcall/server/contract/core";
import { presenceTopic } from "@rollcall/server/contract/realtime";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useFrames } from "#core/realtime/live.tsx";
import { colleaguesIn, nothingKnown, type StateOfTopic, withFrame } from "./state.ts";
import classes from "./presence.module.css";

/** The members of one's job who are online. */
export default function Presence() {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const fields = useMemo(() => stateFields(presenceTopic.message), []);
  const [state, setState] = useState<StateOfTopic | null>(null);
  useFrames(`presence/${character.job.name}`, (frame) =>
    setState((known) => (frame === null ? null : withFrame(known ?? nothingKnown, fields, frame))),
  );
  if (state === null) return null;
  const colleagues = colleaguesIn(state);
  const others = colleagues.filter(({ id }) => id !== character.id);
  return (
    <section className={classes["online"]} aria-label={t("home.online")}>
      <h2>
        {t("home.online")} <span>{colleagues.length}</span>
      </h2>
      {others.length === 0 ? (
        <p>{t("home.onlineAlone")}</p>
      ) : (
        <ul>
          {others.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
