import type { DutyPerson } from "@rollcall/server/contract/duty";
import { useActiveIdentity } from "#core/abilities.ts";
import { type Translate, useText } from "#core/i18n.ts";
import { useJobLabels } from "#core/jobs.tsx";
import type { Language } from "#core/preferences.ts";
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
  const unsure = colleagues.filter(({ state }) => state !== "on").length;
  return (
    <HomeCard
      title={t("duty.card.title")}
      to="/duty"
      search={{ job }}
      action={t("duty.card.open")}
      sentence={
        colleagues.length === 0 ? (
          t("duty.card.nobody", { job: label })
        ) : (
          <>
            {t("duty.card.sentence", { count: colleagues.length, job: label })}
            {unsure > 0 && ` ${t("duty.card.unsure", { count: unsure })}`}
          </>
        )
      }
    >
      {colleagues.length > 0 && <p className={classes["names"]}>{namesOf(t, colleagues)}</p>}
      <p className={classes["cardOwn"]}>{ownText(t, duty, language)}</p>
    </HomeCard>
  );
}

function ownText(t: Translate, duty: DutyPerson | null, language: Language): string {
  if (duty === null) return t("duty.own.off");
  const time = clockTime(duty.state === "on" ? duty.since : duty.seenAt, language);
  return t(`duty.card.mine.${duty.state}`, { time, job: duty.job.label });
}

/** Those who are certainly there come first. */
function namesOf(t: Translate, people: readonly Pick<DutyPerson, "name" | "state">[]): string {
  const certain = people.toSorted((a, b) => Number(a.state !== "on") - Number(b.state !== "on"));
  const names = certain
    .slice(0, MOST_NAMED)
    .map(({ name, state }) =>
      state === "on" ? firstName(name) : t("duty.card.named", { name: firstName(name), state: t(`duty.states.${state}`) }),
    );
  const more = people.length - names.length;
  return [...names, ...(more > 0 ? [t("duty.card.more", { count: more })] : [])].join(", ");
}
