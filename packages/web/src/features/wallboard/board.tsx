import { useState } from "react";
import type { Wallboard } from "@rollcall/server/contract/wallboard";
import { useText } from "#core/i18n.ts";
import { clockTime, shortAge } from "#core/time.ts";
import { useServerNow } from "#ui/small.tsx";
import { useBoard } from "./useBoard.ts";
import classes from "./wallboard.module.css";

/** On the wall of a dispatch centre: it needs no account, only the link. */
export default function WallboardPage() {
  const { t, language } = useText();
  const [secret] = useState(() => location.hash.slice(1));
  const { board, readAt, up, ended } = useBoard(secret);
  const now = useServerNow(1_000);
  if (ended)
    return (
      <main className={classes["page"]} data-ended>
        <h1>{t("wallboard.ended.title")}</h1>
        <p>{t("wallboard.ended.text")}</p>
      </main>
    );
  return (
    <main className={classes["page"]} data-lost={!up || undefined}>
      <header className={classes["head"]}>
        <h1>{board === null ? t("wallboard.board") : board.job.label}</h1>
        <span className={classes["clock"]}>{clockTime(now, language)}</span>
      </header>
      <p className={classes["age"]} role="status">
        {!up && (readAt === null ? t("wallboard.connecting") : t("wallboard.lost", { age: shortAge(now - readAt) }))}
      </p>
      {board !== null && <Shown board={board} now={now} />}
    </main>
  );
}

function Shown({ board, now }: { readonly board: Wallboard; readonly now: number }) {
  const { t } = useText();
  const { waiting, waitingCount, openCount, waitSeconds, units, onDuty } = board;
  return (
    <>
      <ul className={classes["counts"]} aria-label={t("wallboard.units")}>
        {units.map(({ base, count }) => (
          <li key={base}>
            <strong>{count}</strong>
            <span>{t(`wallboard.bases.${base}`)}</span>
          </li>
        ))}
        <li>
          <strong>{onDuty}</strong>
          <span>{t("wallboard.onDuty")}</span>
        </li>
      </ul>
      <h2>{t("wallboard.waiting", { count: waitingCount, open: openCount })}</h2>
      <ol className={classes["calls"]}>
        {waiting.map(({ id, priority, isPanic, type, postal, waitingSince }) => (
          <li key={id} data-late={now - waitingSince >= waitSeconds * 1000 || undefined} data-panic={isPanic || undefined}>
            <span className={classes["priority"]}>{priority}</span>
            <span className={classes["type"]}>
              {isPanic ? t("wallboard.panic") : type === null ? t("wallboard.noType") : `${type.code} ${type.name}`}
            </span>
            <span>{postal ?? "–"}</span>
            <span className={classes["since"]}>{shortAge(now - waitingSince)}</span>
          </li>
        ))}
      </ol>
    </>
  );
}
