import { useActiveIdentity } from "#core/abilities.ts";
import { useText } from "#core/i18n.ts";
import { playedTime } from "#core/time.ts";
import { useToday } from "#core/today.ts";
import { useOwnDuty } from "#features/duty/duty.api.ts";
import { HomeCard } from "#ui/homeCard.tsx";
import { useServerNow } from "#ui/small.tsx";
import { rangeOf } from "./range.ts";
import { useHours } from "./timeclock.queries.ts";

/** The own hours of this week, those of the running duty among them; nothing without any. */
export default function TimeclockCard() {
  const { t } = useText();
  const { character } = useActiveIdentity();
  const { data } = useHours(character.id, rangeOf("week", useToday(), undefined));
  const duty = useOwnDuty().data?.duty ?? null;
  const now = useServerNow(60_000);
  if (data === undefined) return null;
  const running = duty?.job.name === data.job.name ? Math.max(0, now - Math.max(duty.since, data.from)) / 1000 : 0;
  const seconds = data.seconds + running;
  if (seconds === 0 && data.targetHours === null) return null;
  const time = playedTime(seconds);
  const { targetHours: hours } = data;
  return (
    <HomeCard
      title={t("timeclock.title")}
      to="/jobs/timeclock"
      action={t("timeclock.card.open")}
      sentence={hours === null ? t("timeclock.card.week", { time }) : t("timeclock.card.target", { time, hours })}
    />
  );
}
