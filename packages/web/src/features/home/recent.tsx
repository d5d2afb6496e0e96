import { useState } from "react";
import { Link } from "@tanstack/react-router";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { useDeclared } from "#core/pages.ts";
import { recentOf } from "#core/recent.ts";
import classes from "./home.module.css";

/** What this character opened last, on this device. */
export default function RecentCard() {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const { jumps } = useDeclared();
  const [entries] = useState(() => recentOf(character.id));
  const known = entries.flatMap((entry) => {
    const jump = jumps.find(({ kind }) => kind === entry.kind);
    return jump?.href ? [{ ...entry, href: jump.href(entry.id) }] : [];
  });
  if (known.length === 0) return null;
  return (
    <section className={classes["panel"]}>
      <h2>{t("home.recent")}</h2>
      <ul className={classes["recent"]}>
        {known.map((entry) => (
          <li key={`${entry.kind} ${entry.id}`}>
            <Link to={entry.href}>
              <span>{entry.title}</span>
              <span className={classes["ref"]}>{entry.ref}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
