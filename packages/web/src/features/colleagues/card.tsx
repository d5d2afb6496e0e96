import { Link } from "@tanstack/react-router";
import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { calendarDay } from "#core/time.ts";
import { CardLines, HomeCard } from "#ui/homeCard.tsx";
import { useNamer } from "./colleagueNames.ts";
import { useExpiring } from "./colleagues.queries.ts";

/** Labels of colleagues that end within a week: somebody decides whether they go on. */
export default function ExpiringCard() {
  const { t, language } = useText();
  const { data } = useExpiring();
  const nameOf = useNamer();
  const job = useActiveIdentity().character.job.name;
  if (!data || data.total === 0) return null;
  return (
    <HomeCard
      title={t("colleagues.card.title")}
      to="/jobs/colleagues"
      action={t("colleagues.card.open")}
      sentence={t("colleagues.card.sentence", { count: data.total, capped: data.totalCapped ? "+" : "" })}
    >
      <CardLines
        lines={data.items.map(({ id, name, label }) => ({
          key: `${id} ${label.id}`,
          line: (
            <span>
              <Link to={`/jobs/colleagues/${id}`}>{nameOf({ id, name }, job)}</Link>: {label.name},{" "}
              {t("colleagues.until", { day: calendarDay(label.until ?? "", language) })}
            </span>
          ),
        }))}
      />
    </HomeCard>
  );
}
