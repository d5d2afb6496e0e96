import { useMemo, useState } from "react";
import { stateFields } from "@rollcall/server/contract/core";
import { presenceTopic } from "@rollcall/server/contract/realtime";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useFrames } from "#core/realtime/live.tsx";
import { nothingKnown, type StateOfTopic, withFrame } from "./state.ts";
import classes from "./presence.module.css";

interface Colleague {
  readonly id: number;
  readonly name: string;
  readonly grade: number;
}

/** Each member once, however many windows are open; the highest grade first. */
function colleaguesIn(state: StateOfTopic): Colleague[] {
  const found = new Map<number, Colleague>();
  for (const { values } of state.values()) {
    const { characterId, name, grade } = values as { characterId?: number; name?: string; grade?: number };
    if (characterId !== undefined) found.set(characterId, { id: characterId, name: name ?? "", grade: grade ?? 0 });
  }
  return [...found.values()].sort((a, b) => b.grade - a.grade || a.name.localeCompare(b.name));
}

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
