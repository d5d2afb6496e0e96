import { useText } from "#core/i18n.ts";
import { TimeAgo, useServerNow } from "#ui/small.tsx";
import type { Call } from "./calls.queries.ts";
import classes from "./calls.module.css";

/** Since when a call waits, marked with a word and a colour once it is late; of one that has ended, when. */
export function CallAge({ call, waitSeconds }: { readonly call: Call; readonly waitSeconds: number }) {
  const { t } = useText();
  const now = useServerNow(5_000);
  const { state, waitingSince, ended } = call;
  if (state !== "open") return <TimeAgo instant={ended?.at ?? waitingSince} />;
  const isLate = now - waitingSince >= waitSeconds * 1000;
  return (
    <span className={classes["age"]} data-late={isLate || undefined}>
      <TimeAgo instant={waitingSince} />
      {isLate && <strong>{t("calls.late")}</strong>}
    </span>
  );
}

/** The number says it; the colour only repeats it. */
export function PriorityMark({ priority }: { readonly priority: number }) {
  const { t } = useText();
  return (
    <span className={classes["priority"]} data-priority={priority} title={t("calls.priorities", { priority })}>
      {priority}
    </span>
  );
}
