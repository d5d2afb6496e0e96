import type { CSSProperties } from "react";
import { IconThumbDown, IconThumbUp } from "@tabler/icons-react";
import { useText } from "#core/i18n.ts";
import type { ConductEntry, ConductKind } from "./conduct.queries.ts";
import classes from "./conduct.module.css";

interface KindTagProps {
  readonly kind: Pick<ConductKind, "name" | "colour">;
  readonly tone: ConductEntry["tone"];
}

/** A kind: its name, beside the sign of its tone in its colour. */
export function KindTag({ kind, tone }: KindTagProps) {
  const { t } = useText();
  const Sign = tone === "positive" ? IconThumbUp : IconThumbDown;
  return (
    <span className={classes["kind"]} style={{ "--kind": kind.colour } as CSSProperties}>
      <span className={classes["sign"]}>
        <Sign size={14} aria-hidden />
      </span>
      <span>{kind.name}</span>
      <span className="rc-hidden">{t(`conduct.tones.${tone}`)}</span>
    </span>
  );
}
