import { useActiveIdentity } from "#core/abilities.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import { clockTime } from "#core/time.ts";
import { HomeCard } from "#ui/homeCard.tsx";
import { useOnDuty } from "./duty.queries.ts";
import { useOwnDuty } from "./own.queries.ts";
import { firstName } from "./people.ts";
import classes from "./duty.module.css";

/** As many are named; of the others the number is said. */
const MOST_NAMED = 8;

/** Who is on duty now in the viewer's job, and the own duty. */
export default function DutyCard() {
  const { t, language } = useText();
  const { character } = useActiveIdentity();
  const job = character.job.name;
  const label = useJobLabels()(job);
  const { query, rows } = useOnDuty();
  const { data: own } = useOwnDuty();
  if (!query.data || !own) return null;
  const colleagues = rows.filter((row) => row.job.name === job);
  const { duty } = own;
  return (
    <HomeCard
      title={t("duty.card.title")}
      to="/duty"
      search={{ job }}
      action={t("duty.card.open")}
      sentence={
        colleagues.length === 0
          ? t("duty.card.nobody", { job: label })
          : t("duty.card.sentence", { count: colleagues.length, job: label })
      }
    >
      {colleagues.length > 0 && <p className={classes["names"]}>{namesOf(t, colleagues)}</p>}
      <p className={classes["cardOwn"]}>
        {duty === null ? t("duty.own.off") : t("duty.card.own", { time: clockTime(duty.since, language), job: duty.job.label })}
      </p>
    </HomeCard>
  );
}

function namesOf(t: Translate, people: readonly { readonly name: string }[]): string {
  const names = people.slice(0, MOST_NAMED).map(({ name }) => firstName(name));
  const more = people.length - names.length;
  return [...names, ...(more > 0 ? [t("duty.card.more", { count: more })] : [])].join(", ");
}
