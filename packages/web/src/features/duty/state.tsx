import { IconCircleCheck, IconHelpCircle, IconUserQuestion } from "@tabler/icons-react";
import type { DutyState } from "@rollcall/server/contract/duty";
import { useText } from "#core/i18n.ts";
import { shortAge } from "#core/time.ts";
import { useServerNow } from "#ui/small.tsx";
import classes from "./duty.module.css";

const ICONS: Readonly<Record<DutyState, typeof IconCircleCheck>> = {
  on: IconCircleCheck,
  missing: IconUserQuestion,
  uncertain: IconHelpCircle,
};

/** How somebody on duty stands, where there is no room for words. */
export function DutyStateSign({ state }: { readonly state: DutyState }) {
  const { t } = useText();
  const Icon = ICONS[state];
  return <Icon size={15} role="img" aria-label={t(`duty.states.${state}`)} title={t(`duty.states.${state}Hint`)} />;
}

/** How somebody on duty stands, in words; who is not certainly there also by the age of the last sign of life. */
export function DutyStateText({ state, seenAt }: { readonly state: DutyState; readonly seenAt: number | null }) {
  const { t } = useText();
  const Icon = ICONS[state];
  return (
    <span className={classes["state"]} data-state={state} title={t(`duty.states.${state}Hint`)}>
      <Icon size={15} aria-hidden />
      <span>
        {t(`duty.states.${state}`)}
        {state !== "on" && seenAt !== null && (
          <>
            {" · "}
            <LastSign seenAt={seenAt} />
          </>
        )}
      </span>
    </span>
  );
}

/** How long ago the last sign of life was. */
export function LastSign({ seenAt }: { readonly seenAt: number }) {
  const { t } = useText();
  const now = useServerNow(5_000);
  return <span className="rc-number">{t("duty.lastSign", { age: shortAge(now - seenAt) })}</span>;
}
