import { IconCalendarOff } from "@tabler/icons-react";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import type { MarkedPerson } from "#core/pages.ts";
import { calendarDay } from "#core/time.ts";
import { useServerNow } from "#ui/small.tsx";
import { useAbsent } from "./absences.queries.ts";
import classes from "./mark.module.css";

const TICK = 30_000;

/** Until when somebody of the own job is absent; a profile also names who substitutes. */
export default function AbsentMark({ citizenId, job, whole = false }: MarkedPerson) {
  const { t, language } = useText();
  const own = useActiveIdentity().character.job.name === job;
  const now = useServerNow(TICK);
  const { data } = useAbsent();
  const found = own ? data?.items.find(({ id, from, until }) => id === citizenId && from <= now && now < until) : undefined;
  if (found === undefined) return null;
  const { day, substitute } = found;
  const text = t("absences.until", { day: calendarDay(day, language) });
  return (
    <span className={classes["mark"]} title={text} data-absent data-whole={whole || undefined}>
      <IconCalendarOff size={14} aria-hidden />
      <span className={classes["text"]}>{text}</span>
      {whole && substitute !== null && <span>{t("absences.substituteIs", { name: substitute.name })}</span>}
    </span>
  );
}
