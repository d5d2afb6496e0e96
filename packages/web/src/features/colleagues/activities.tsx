import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { Activity, ActivityKind, ActivitySide } from "@rollcall/server/contract/colleagues";
import { useActiveIdentity } from "#core/abilities.ts";
import { type Translate, useText } from "#core/i18n.ts";
import type { Language } from "#core/preferences.ts";
import { calendarDay } from "#core/time.ts";
import { TimeAgo } from "#ui/small.tsx";
import { Bars, ProblemNote } from "#ui/states.tsx";
import { useNamer } from "./colleagueNames.ts";
import { useActivities } from "./colleagues.queries.ts";
import classes from "./colleagues.module.css";

interface ActivitiesProps {
  /** Left out for those of the whole job, which then name their people. */
  readonly citizenId?: number;
  readonly kind?: ActivityKind;
}

/** What happened, the newest first. */
export function Activities({ citizenId, kind }: ActivitiesProps) {
  const { t } = useText();
  const filter = { ...(citizenId === undefined ? {} : { citizenId }), ...(kind === undefined ? {} : { kind }) };
  const query = useActivities(filter);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  if (query.isPending) return <Bars widths={["80%", "60%", "70%"]} />;
  return (
    <>
      {query.isError && <ProblemNote error={query.error} onRetry={() => void query.refetch()} retrying={query.isFetching} />}
      {items.length === 0 && !query.isError && <p className={classes["quiet"]}>{t("colleagues.activity.nothing")}</p>}
      {items.length > 0 && (
        <ul className={classes["activities"]}>
          {items.map((one) => (
            <One key={one.id} one={one} named={citizenId === undefined} />
          ))}
        </ul>
      )}
      {query.hasNextPage && (
        <Button variant="default" size="compact-md" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {t("colleagues.activity.more")}
        </Button>
      )}
    </>
  );
}

function One({ one, named }: { readonly one: Activity; readonly named: boolean }) {
  const { t, language } = useText();
  const { citizen, actor, reason } = one;
  const namer = useNamer();
  const job = useActiveIdentity().character.job.name;
  const nameOf = ({ id, name }: { readonly id: number | null; readonly name: string | null }) =>
    id === null || name === null ? name : namer({ id, name }, job);
  const by =
    actor === null
      ? t("colleagues.activity.byGame")
      : t("colleagues.activity.by", { name: nameOf(actor) ?? t("colleagues.activity.removed") });
  return (
    <li className={classes["activity"]}>
      {named && (
        <Link to={`/jobs/colleagues/${citizen.id}`}>{nameOf(citizen) ?? t("colleagues.activity.gone", { id: citizen.id })}</Link>
      )}
      <p>{whatHappened(t, language, one)}</p>
      {reason !== null && one.kind !== "remark" && (
        <p className={classes["quiet"]}>{t("colleagues.activity.reason", { reason })}</p>
      )}
      <p className={classes["quiet"]}>
        <TimeAgo instant={one.at} /> · {by}
      </p>
    </li>
  );
}

const affixesOf = (t: Translate, { prefix, suffix }: ActivitySide): string =>
  [prefix, "…", suffix].filter(Boolean).join(" ") || t("colleagues.activity.noName");

/** As one sentence. */
function whatHappened(t: Translate, language: Language, { kind, before, after, reason }: Activity): string {
  const until = (side: ActivitySide) => (side.until ? t("colleagues.until", { day: calendarDay(side.until, language) }) : "");
  switch (kind) {
    case "labelGiven":
      return t(`colleagues.activity.kinds.labelGiven`, { label: after.label, until: until(after) }).trim();
    case "labelTaken":
      return t(`colleagues.activity.kinds.labelTaken`, { label: before.label });
    case "name":
      return t(`colleagues.activity.kinds.name`, { before: affixesOf(t, before), after: affixesOf(t, after) });
    case "absence": {
      const { firstDay = "", lastDay = "" } = after.firstDay === undefined ? before : after;
      const days = { first: calendarDay(firstDay, language), last: calendarDay(lastDay, language) };
      const what = after.firstDay === undefined ? "absenceEnded" : "absenceEntered";
      return t(`colleagues.activity.kinds.${what}${firstDay === lastDay ? "Day" : ""}`, days);
    }
    case "remark":
      return t(`colleagues.activity.kinds.remark`, { text: reason });
    case "hired":
    case "promoted":
    case "demoted":
    case "left":
      // The game said so, and Rollcall has not seen the change of grade.
      if (before.gradeLabel === undefined && after.gradeLabel === undefined) return t(`colleagues.fields.${kind}`);
      return t(`colleagues.activity.kinds.${kind}`, { before: before.gradeLabel, after: after.gradeLabel });
    case "note":
      return t(`colleagues.activity.kinds.${kind}`, { before: before.gradeLabel, after: after.gradeLabel });
  }
}
