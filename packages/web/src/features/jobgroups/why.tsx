import { type MemberReason } from "@rollcall/server/contract/jobgroups";
import { useActiveIdentity } from "#core/abilities.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { calendarDay } from "#core/time.ts";
import { Dialog } from "#ui/dialog.tsx";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useExplained } from "./jobgroups.queries.ts";
import { ruleText } from "./texts.ts";
import classes from "./jobgroups.module.css";

export interface WhyProps {
  readonly group: number;
  readonly person: { readonly id: number; readonly name: string };
  onClose(): void;
}

/** Why somebody is in a group. */
export default function Why({ group, person, onClose }: WhyProps) {
  const { t } = useText();
  return (
    <Dialog title={t("jobgroups.why.title", { name: person.name })} onClose={onClose}>
      <Reasons group={group} citizenId={person.id} />
    </Dialog>
  );
}

/** Why the viewer is in a group. */
export function OwnReasons({ group }: { readonly group: number }) {
  return <Reasons group={group} citizenId={useActiveIdentity().character.id} />;
}

function Reasons({ group, citizenId }: { readonly group: number; readonly citizenId: number }) {
  const { t, language } = useText();
  const query = useExplained(group, citizenId);
  const { data } = query;
  if (query.isError) return <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />;
  if (data === undefined) return <Bars widths={["70%", "50%"]} />;
  const { reasons, exclusion } = data;
  return (
    <>
      {reasons.length === 0 && <p className={classes["quiet"]}>{t("jobgroups.why.none")}</p>}
      <ul className={classes["list"]} data-reasons>
        {reasons.map((reason, at) => (
          <li key={at}>
            <span className={classes["about"]}>
              <span>{reasonText(t, reason)}</span>
              <span className={`${classes["line"]} ${classes["quiet"]}`}>
                {reason.at !== null && <TimeAgo instant={reason.at} />}
                {reason.until !== null && <span>{t("jobgroups.until", { day: calendarDay(reason.until, language) })}</span>}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {exclusion !== null && (
        <p className={classes["text"]}>
          {exclusion.until === null
            ? t("jobgroups.why.excluded")
            : t("jobgroups.why.excludedUntil", { day: calendarDay(exclusion.until, language) })}{" "}
          {exclusion.reason}
        </p>
      )}
    </>
  );
}

function reasonText(t: Translate, { kind, by, rule, group }: MemberReason): string {
  if (kind === "rule" && rule !== null) return ruleText(t, rule);
  if (kind === "group")
    return group === null ? t("jobgroups.why.throughOther") : t("jobgroups.why.through", { group: group.name });
  return by === null ? t("jobgroups.why.kinds.hand") : t("jobgroups.why.handBy", { name: by });
}
