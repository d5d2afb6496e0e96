import type { JobMove } from "@rollcall/server/contract/colleagues";
import { type Translate, useText } from "#core/i18n.ts";
import { TimeAgo } from "#ui/small.tsx";
import classes from "./colleagues.module.css";

interface MoveListProps {
  readonly items: readonly JobMove[];
  readonly grades: readonly { readonly grade: number; readonly label: string }[];
  /** Names whom each is about. */
  readonly named?: boolean;
}

/** What was asked of the game, and what became of it. */
export function MoveList({ items, grades, named = false }: MoveListProps) {
  const { t } = useText();
  return (
    <ul className={classes["activities"]}>
      {items.map((move) => (
        <li key={move.id} className={classes["activity"]} data-move={move.state}>
          {named && <strong>{move.name ?? `CIT-${move.citizenId}`}</strong>}
          <p>{moveText(t, move, grades)}</p>
          <p className={classes["quiet"]}>{t("colleagues.activity.reason", { reason: move.reason })}</p>
          <p className={classes["quiet"]}>
            <TimeAgo instant={move.askedAt} /> · {t(`colleagues.moves.states.${move.state}`, { answer: move.answer ?? "" })}
          </p>
        </li>
      ))}
    </ul>
  );
}

function moveText(t: Translate, { kind, grade }: JobMove, grades: MoveListProps["grades"]): string {
  const label = grades.find((one) => one.grade === grade)?.label ?? String(grade);
  return t(`colleagues.moves.kinds.${kind}`, { grade: label });
}
