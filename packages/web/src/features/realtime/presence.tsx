import { presenceTopic } from "@rollcall/server/contract/realtime";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useStates } from "#core/realtime/useStates.ts";
import { colleaguesIn } from "./colleagues.ts";
import classes from "./presence.module.css";

/** The members of one's job who are online. */
export default function Presence() {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const { known, entries } = useStates(presenceTopic, character.job.name);
  if (!known && entries.length === 0) return null;
  const colleagues = colleaguesIn(entries);
  const others = colleagues.filter(({ characterId }) => characterId !== character.id);
  return (
    <section className={classes["online"]} aria-label={t("realtime.online")} data-stale={!known}>
      <h2>
        {t("realtime.online")} <span>{colleagues.length}</span>
      </h2>
      {others.length === 0 ? (
        <p>{t("realtime.onlineAlone")}</p>
      ) : (
        <ul>
          {others.map(({ characterId, name }) => (
            <li key={characterId}>{name}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
